/** The dark modules of a QR code as one SVG path, a rectangle for each run of them. @param rows true is dark */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
    .join('');
}

/** Runs of dark modules in a row: where each begins, and its length. */
function runsOf(row: readonly boolean[]): readonly (readonly [start: number, width: number])[] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
