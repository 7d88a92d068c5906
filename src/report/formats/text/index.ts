import { defineFormat } from '../../format.ts';
import { checkText } from './check.ts';
import { inventoryText } from './inventory.ts';

export default defineFormat({
  name: 'text',
  summary: 'for people: code frames, tables, a summary at the end',
  check: checkText,
  inventory: inventoryText,
});
