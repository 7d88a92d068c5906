import json from './formats/json/index.ts';
import text from './formats/text/index.ts';

export type { Format, InventoryReport, ReportOptions } from './format.ts';
export { inventoryJson } from './formats/json/inventory.ts';

export const formats = [json, text];
