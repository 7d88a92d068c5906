/** Why it is not known what a call starts, in words. */

/** By what the evaluation says of a value; what is not named here is a sentence already. */
const WORDS: Readonly<Record<string, string>> = {
  argument: 'no call says what the argument is',
  awaited: 'what awaiting it gives',
  'call of a parameter': 'a parameter is called, and no caller is known',
  'call of a type': 'the call of a type',
  'call of an instance': 'the call of an object',
  'not a call': 'it is no call',
  class: 'it is a class, not a coroutine',
  constant: 'it is a constant, not a coroutine',
  cycle: 'its definition leads back to itself',
  display: 'it is a list, a tuple, a set or a mapping, not a coroutine',
  element: 'what is taken out of a container',
  field: 'what a field holds',
  globals: 'what globals() holds',
  module: 'it is a module, not a coroutine',
  'no such attribute': 'nothing in the project says what the attribute is',
  'no such global': 'globals() holds no such name',
  'no such member': 'the module has no such name',
  'no such module': 'the package has no such module',
  'no value': 'nothing is put there',
  part: 'what is taken out of a container',
  partial: 'what the partial calls',
  property: 'what the property gives',
  'relative-import': 'the relative import leads out of the project',
  slice: 'it is a part of a list, not a coroutine',
  stored: 'what is taken out of a container',
  'too many': 'there are too many values to follow',
  'too many ways': 'there are too many ways to follow',
  type: 'it is a type, not a coroutine',
  unbound: 'the name is not bound there',
};

/** `not known statically: what a field holds` */
export function unresolvedBecause(why: string): string {
  if (why === 'unknown') return 'not known statically';
  return isNoCoroutine(why) ? wordsOf(why) : `not known statically: ${wordsOf(why)}`;
}

export function isNoCoroutine(why: string): boolean {
  return wordsOf(why).includes('not a coroutine');
}

const wordsOf = (why: string): string => WORDS[why] ?? why;
