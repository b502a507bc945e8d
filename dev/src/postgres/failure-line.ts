/** The line of a PostgreSQL program's output that explains best why it failed. */
export function failureLine(output: string): string {
  if (/No space left on device|Check free disk space/.test(output)) return 'the disk is full';
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
}

/** Whether another start may succeed: a port was taken meanwhile, shared memory was still in use. */
export function isTransient(output: string): boolean {
  return /Address already in use|could not bind|pre-existing shared memory|lock file .* already exists/.test(
    output,
  );
}
