import { defineFormat } from '../../format.ts';
import { checkGithub } from './check.ts';

export default defineFormat({
  name: 'github',
  summary: 'annotations of GitHub Actions',
  check: checkGithub,
});
