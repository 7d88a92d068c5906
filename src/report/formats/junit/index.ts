import { defineFormat } from '../../format.ts';
import { checkJunit } from './check.ts';

export default defineFormat({
  name: 'junit',
  summary: 'JUnit XML, one test case a loop',
  check: checkJunit,
});
