/** What stops a run with exit code 2: said in one message with its remedy. */
export class Trouble extends Error {
  constructor(
    message: string,
    readonly remedy: string | null = null,
  ) {
    super(message);
    this.name = 'Trouble';
  }
}
