/** What is said when the built program is missing, older than its launcher, or damaged. */
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

module.exports = (error) => {
  const root = dirname(__dirname);
  const dist = join(root, 'dist');
  const why = !existsSync(dist)
    ? `the program is not built: there is no ${dist}`
    : !existsSync(join(dist, 'start.js'))
      ? `${dist} is of an older build than its launcher`
      : `${dist} is damaged (${String(error.message).split('\n')[0]})`;
  // a published package holds no sources
  const remedy = existsSync(join(root, 'scripts', 'build.mjs'))
    ? `run npm ci && npm run build in ${root}`
    : 'install looptag again';
  process.stderr.write(`looptag: ${why}; ${remedy}\n`);
  if (process.argv.includes('--verbose')) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 2;
};
