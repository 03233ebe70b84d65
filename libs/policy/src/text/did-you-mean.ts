/**
 * The known name that a writer most likely meant: equal but for case, `-` and `_`, or one edit away from it. Null when
 * nothing is close; never used to accept anything.
 */
export function didYouMean(written: string, known: readonly string[]): string | null {
  const plain = squeeze(written);
  if (plain.length > 64) return null;
  return (
    known.find((name) => squeeze(name) === plain) ??
    known.find((name) => isOneEditAway(squeeze(name), plain)) ??
    null
  );
}

function squeeze(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}

function isOneEditAway(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let head = 0;
  while (head < left.length && left[head] === right[head]) head += 1;
  const [leftTail, rightTail] = [left.slice(head), right.slice(head)];
  return (
    leftTail.slice(1) === rightTail.slice(1) ||
    leftTail === rightTail.slice(1) ||
    leftTail.slice(1) === rightTail
  );
}
