/** Thrown where the recogniser leaves the decision to the parser. */
class Unsure extends Error {}

const UNSURE = new Unsure('left to the parser');

/** One error for all: a stack trace costs more than many a file. */
export function unsure(): never {
  throw UNSURE;
}

export function isUnsure(error: unknown): boolean {
  return error === UNSURE;
}
