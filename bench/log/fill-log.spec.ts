import { expect, it } from '@jest/globals';
import { roomRefusal } from './fill-log.js';

it('a fill that would not fit is refused with what it takes and what there is, and one that fits is not', () => {
  const gigabyte = 1024 ** 3;
  expect(roomRefusal(5_000_000, 5 * gigabyte)).toMatch(
    /^5000000 stored events take up to 9\.6 GB .*, and 5\.0 GB are free in /,
  );
  expect(roomRefusal(5_000_000, 10 * gigabyte)).toBeNull();
});
