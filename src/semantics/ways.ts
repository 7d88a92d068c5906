/** More results than this are not looked into on the way to one: where functions hand on what others do, ways multiply with each call. */
const MOST = 32;

/** How many results of calls may still be looked into for what is asked. */
export class Ways {
  /** Negative while nothing is counted. */
  private left = -1;

  /** Counts from here on, unless somebody does already. */
  counted<T>(go: () => T): T {
    if (this.left >= 0) return go();
    this.left = MOST;
    try {
      return go();
    } finally {
      this.left = -1;
    }
  }

  /** Looks into one more. */
  takeOne(): boolean {
    if (this.left === 0) return false;
    this.left--;
    return true;
  }

  /** Something else is found out, which is kept and must not hang on who asks first; to be handed to `resume`. */
  pause(): number {
    const { left } = this;
    this.left = -1;
    return left;
  }

  resume(left: number): void {
    this.left = left;
  }
}
