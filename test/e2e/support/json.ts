/** The parts of the JSON reports that the tests look at. */

export interface TargetJson {
  name: string;
  file: string | null;
  line: number | null;
  lifecycle: string;
  periodSeconds: number | null;
  tag: { projectId: string | null; via: string } | null;
  heartbeat: boolean;
  projectId?: string | null;
  catalog?: { number: number | null; marker: string | null; priority: string | null } | null;
}

export interface SiteJson {
  id: string;
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  api: string;
  enclosing: string;
  targets: TargetJson[];
  certainty: string;
}

export interface InventoryJson {
  summary: Record<string, number>;
  sites: SiteJson[];
  mentions: { file: string; line: number; column: number; kind: string; text: string }[];
  errors: { file: string; line: number; column: number; message: string }[];
}
