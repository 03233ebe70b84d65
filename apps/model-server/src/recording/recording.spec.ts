import { describe, expect, it } from '@jest/globals';
import { describeRequest } from './describe-request.js';
import { recordedHeaders } from './recorded-headers.js';
import { RequestLog } from './request-log.js';

const arrival = (body: string | Buffer) => ({
  at: '2026-01-01T00:00:00.000Z',
  path: '/p',
  headers: {},
  body: Buffer.from(body),
});

describe('what is recorded of a request', () => {
  it('credentials are never kept, our own headers are', () => {
    const kept = recordedHeaders({
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      'api-key': 'secret',
      cookie: 'secret',
      'proxy-authorization': 'secret',
      'x-offshoot-agent': 'a1',
      'user-agent': 'test',
    });
    expect(kept).toEqual({ 'x-offshoot-agent': 'a1', 'user-agent': 'test' });
  });

  it('a body that is not UTF-8 is shown as base64, another as its text', () => {
    const log = new RequestLog({ requests: 9, bytes: 99 });
    expect(describeRequest(log.add(arrival(Buffer.from([0xff]))))).toMatchObject({
      bodyBase64: '/w==',
      bytes: 1,
    });
    expect(describeRequest(log.add(arrival('\ufeffé')))).toMatchObject({ body: '\ufeffé', bytes: 5 });
  });

  it('says how many were being answered when one came, also of those that are not kept any more', () => {
    const log = new RequestLog({ requests: 1, bytes: 99 });
    const [first, second] = [log.add(arrival('1')), log.add(arrival('2'))];
    log.settle(first, 200);
    const third = log.add(arrival('3'));
    log.settle(second, null);
    log.settle(third, 200);
    expect([first, second, third, log.add(arrival('4'))].map(({ atOnce }) => atOnce)).toEqual([1, 2, 2, 1]);
    expect([first.status, second.status]).toEqual([200, null]);
  });

  it('the log is bounded by count and bytes, and its numbers go on after a clearing', () => {
    const log = new RequestLog({ requests: 2, bytes: 5 });
    for (const body of ['1', '2', '3']) log.add(arrival(body));
    expect(log.after(0, 9).map(({ n }) => n)).toEqual([2, 3]);
    log.add(arrival('12345'));
    expect(log.after(0, 9).map(({ n }) => n)).toEqual([4]);
    log.clear();
    log.add(arrival('1234'));
    log.add(arrival('1'));
    expect(log.after(0, 9).map(({ n }) => n)).toEqual([5, 6]);
    expect(log.after(5, 9).map(({ n }) => n)).toEqual([6]);
    expect(log.after(0, 1).map(({ n }) => n)).toEqual([5]);
  });
});
