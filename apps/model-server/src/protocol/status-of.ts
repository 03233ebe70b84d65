import { RefusalKind, type Refusal } from '../refusal.js';

/** HTTP status of a refusal. */
export function statusOf(refusal: Refusal): number {
  switch (refusal.kind) {
    case RefusalKind.invalidRequest:
      return 400;
    case RefusalKind.notFound:
      return 404;
    case RefusalKind.tooLarge:
      return 413;
  }
}
