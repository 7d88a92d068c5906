import { defineFormat } from '../../format.ts';
import { checkJson } from './check.ts';
import { inventoryJson } from './inventory.ts';

export default defineFormat({
  name: 'json',
  summary: 'for programs; the shapes are published as JSON schemas',
  check: (result) => checkJson(result),
  inventory: ({ analysis, reconciliation, root, shard }) => inventoryJson(analysis, reconciliation, { root, shard }),
});
