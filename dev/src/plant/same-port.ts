import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Serves at the port of the last start as long as that is free: a device knows hardware by its address.
 *
 * @param file where the port is remembered
 * @param serve 0 picks a free port
 */
export async function serveAtSamePort<Served extends { readonly port: number }>(
  file: string,
  serve: (port: number) => Promise<Served>,
): Promise<Served> {
  const last = lastPort(file);
  const served = last === 0 ? await serve(0) : await serve(last).catch(() => serve(0));
  writeFileSync(file, String(served.port), { mode: 0o600 });
  return served;
}

function lastPort(file: string): number {
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}
