// Lets node find what the pages import from /assets: a script of that name in one of the folders.

import { existsSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const COMPONENTS = new URL('../../controller/dashboard/components/', import.meta.url);

export function resolve(specifier, context, next) {
  if (!specifier.startsWith('/assets/')) return next(specifier, context);
  const name = specifier.slice('/assets/'.length);
  const found = readdirSync(COMPONENTS).map((folder) => new URL(`${folder}/${name}`, COMPONENTS)).find((url) => existsSync(url));
  return { url: found.href, format: 'module', shortCircuit: true };
}

if (!process.env.ASSETS_REGISTERED) {
  process.env.ASSETS_REGISTERED = 'yes';
  register(import.meta.url, pathToFileURL('./'));
}
