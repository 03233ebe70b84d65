import { types } from 'node:util';

/** True for an error of any realm: what fetch throws was not made by the constructors of the code that catches it. */
export function isError(thrown: unknown): thrown is Error {
  return types.isNativeError(thrown);
}
