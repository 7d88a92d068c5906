import { defineFormat } from '../../format.ts';
import { checkSarif } from './check.ts';

export default defineFormat({
  name: 'sarif',
  summary: 'SARIF 2.1.0, as GitHub code scanning reads it',
  check: checkSarif,
});
