import { defineFormat } from '../../format.ts';
import { checkMarkdown } from './check.ts';
import { inventoryMarkdown } from './inventory.ts';

export default defineFormat({
  name: 'markdown',
  summary: 'a comment on a pull request',
  check: (result) => checkMarkdown(result),
  inventory: inventoryMarkdown,
});
