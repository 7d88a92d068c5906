/** Chromium for the tests of the page, when there is one. Only the part of Playwright's interface that they use. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Page {
  goto(url: string): Promise<unknown>;
  setContent(html: string): Promise<void>;
  evaluate<T>(script: string): Promise<T>;
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  selectOption(selector: string, value: string): Promise<unknown>;
  emulateMedia(options: { media?: string; colorScheme?: string }): Promise<void>;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  on(event: string, listener: (value: { text?(): string; type?(): string; url?(): string }) => void): void;
  close(): Promise<void>;
}

interface Context {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  chromium: { launchPersistentContext(folder: string, options: object): Promise<Context> };
}

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];

export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/** A browser, or the reason why there is none. */
export async function openBrowser(): Promise<Browser | string> {
  const executablePath = CANDIDATES.find((path) => path !== undefined && path !== '' && existsSync(path));
  if (executablePath === undefined) return 'no Chromium (Debian: apt-get install chromium)';
  // Not a literal: type-checking must not depend on a package that only these tests need.
  const library = 'playwright-core';
  let playwright: Playwright;
  try {
    playwright = (await import(library)) as Playwright;
  } catch {
    return 'no playwright-core (npm install --no-save playwright-core)';
  }
  const folder = mkdtempSync(join(tmpdir(), 'looptag-chromium-'));
  const context = await playwright.chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: FLAGS,
  });
  return {
    newPage: () => context.newPage(),
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
