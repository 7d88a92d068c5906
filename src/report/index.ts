import type { Format } from './format.ts';
import csv from './formats/csv/index.ts';
import github from './formats/github/index.ts';
import gitlab from './formats/gitlab/index.ts';
import json from './formats/json/index.ts';
import junit from './formats/junit/index.ts';
import markdown from './formats/markdown/index.ts';
import sarif from './formats/sarif/index.ts';
import text from './formats/text/index.ts';

export type { Format, InventoryReport, ReportOptions } from './format.ts';
export { inventoryJson } from './formats/json/inventory.ts';
export { stepSummary } from './formats/markdown/check.ts';

export const formats: readonly Format[] = [csv, github, gitlab, json, junit, markdown, sarif, text];
