/** What a run may read: code, catalogue and documents, configuration, policy, baseline. */
const READ = /\.(pyi?|md|markdown|toml|ya?ml|baseline|txt)$/;

/** May a file of this name matter to a run that has not read it yet? */
export function mayBeRead(file: string): boolean {
  return READ.test(file);
}
