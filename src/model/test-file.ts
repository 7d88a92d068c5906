/** Is it a file of tests, by where it stands and what it is called? Tests start things in passing, and end with them. */
export function isTestFile(file: string): boolean {
  return /(^|\/)(tests?\/|test_[^/]*$|conftest\.py$)|_test\.py$/.test(file);
}
