/** A real Prometheus on the loopback interface, scraping an exporter and judging generated rules. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type AlertPlan, renderRules } from '../../src/health/index.ts';
import { prometheus, python } from './tools.ts';

export interface Control {
  stopped?: string[];
  zeroed?: string[];
  removed?: string[];
}

export interface FiringAlert {
  name: string;
  loop: string;
  project: string | null;
  severity: string;
}

export interface Live {
  control(state: Control): void;
  /** Alerts that are firing now, by name and loop. */
  firing(): Promise<FiringAlert[]>;
  /** Value of an instant query; null when it is empty. */
  query(expr: string): Promise<number | null>;
  until<T>(what: string, probe: () => Promise<T>, good: (value: T) => boolean, seconds?: number): Promise<T>;
  stop(): Promise<void>;
}

export interface LiveOptions {
  plan: AlertPlan;
  /** Python file of the exporter, and its arguments beside `--control` and `--port`. */
  exporter: string;
  args: string[];
  /** The control file's content at the start. */
  initially?: Control;
}

export async function startLive({ plan, exporter, args, initially = {} }: LiveOptions): Promise<Live> {
  const folder = mkdtempSync(join(tmpdir(), 'looptag-live-'));
  const [exporterPort, prometheusPort] = [await freePort(), await freePort()];
  const control = join(folder, 'control.json');
  const setControl = (state: Control) => {
    writeFileSync(`${control}.new`, JSON.stringify(state));
    renameSync(`${control}.new`, control);
  };
  setControl(initially);
  writeFileSync(join(folder, 'rules.yaml'), renderRules(plan));
  writeFileSync(join(folder, 'prometheus.yaml'), configuration(exporterPort));
  const playing = run(python!, [exporter, ...args, '--control', control, '--port', String(exporterPort)]);
  // A target that is not up yet is missing, and rightly reported so: Prometheus starts after it.
  const metrics = () => fetch(`http://127.0.0.1:${exporterPort}/metrics`);
  await until('the exporter', metrics, (response) => response.ok, 60, playing.output);
  const judge = run(prometheus!, [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    '--log.level=error',
  ]);
  const api = `http://127.0.0.1:${prometheusPort}/api/v1`;
  return {
    control: setControl,
    firing: () => firingAlerts(api, plan),
    query: (expr) => instantQuery(api, expr),
    until: (what, probe, good, seconds = 40) => {
      const output = () => `\nexporter: ${playing.output()}\nprometheus: ${judge.output()}`;
      return until(what, probe, good, seconds, output);
    },
    stop: async () => {
      await Promise.all([playing, judge].map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  child: ChildProcess;
  output(): string;
}

function run(command: string, args: string[]): Running {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { child, output: () => text };
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function configuration(port: number): string {
  return stringify({
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'loops', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function firingAlerts(api: string, plan: AlertPlan): Promise<FiringAlert[]> {
  const { alerts } = await get<{ alerts: { state: string; labels: Record<string, string> }[] }>(`${api}/alerts`);
  return alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels }) => ({
      name: labels.alertname!,
      loop: labels[plan.loopLabel]!,
      project: (plan.projectLabel && labels[plan.projectLabel]) ?? null,
      severity: labels.severity!,
    }));
}

async function instantQuery(api: string, expr: string): Promise<number | null> {
  const { result } = await get<{ result: { value: [number, string] }[] }>(
    `${api}/query?query=${encodeURIComponent(expr)}`,
  );
  return result[0] ? Number(result[0].value[1]) : null;
}

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

async function until<T>(
  what: string,
  probe: () => Promise<T>,
  good: (value: T) => boolean,
  seconds: number,
  output: () => string,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last: unknown = null;
  while (Date.now() < end) {
    try {
      const value = await probe();
      if (good(value)) return value;
      last = value;
    } catch (error) {
      last = error; // Prometheus is not up yet
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`not within ${seconds} s: ${what}; last: ${JSON.stringify(last) ?? last}${output()}`);
}
