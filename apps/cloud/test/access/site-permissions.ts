import type { Operation, SitePermission } from '@heliograph/contracts';

/**
 * Permissions of the callers on the site of a case, written by hand: `yes`, `no`, or `-` for a site that is not there for the
 * caller.
 */
const TABLE = `
permission   stranger rival customer member admin owner session inHome abroad clerk manager boss roving staff posted oauth other
read         -        -     -        yes    yes   yes   yes     yes    -      yes   yes     yes  yes    yes   -      yes   -
audit        -        -     -        no     yes   yes   yes     yes    -      no    yes     yes  yes    yes   -      no    -
connections  -        -     -        no     yes   yes   yes     yes    -      no    no      no   no     yes   -      no    -
configure    -        -     -        no     yes   yes   yes     yes    -      no    no      no   no     no    -      no    -
manage       -        -     -        no     yes   yes   yes     yes    -      no    yes     yes  yes    yes   -      no    -
grant        -        -     -        no     yes   yes   yes     yes    -      no    no      no   no     no    -      no    -
own          -        -     -        no     no    yes   yes     yes    -      no    no      no   no     yes   -      no    -
`;

const [[, ...CALLERS] = [], ...LINES] = TABLE.trim()
  .split('\n')
  .map((line) => line.split(/\s+/));

/** Callers whose tokens have `sites:read_single` alone. */
const READERS_OF_ONE = ['oauth', 'other'];

/**
 * The status for a caller that follows from the scopes of an operation and its permission on the site in its path; undefined
 * for an operation without one, or for sessions alone.
 */
export function statusByPermission(
  { requires, permission, answers }: Operation,
  caller: string,
): number | undefined {
  if (permission === undefined || typeof requires !== 'object') return undefined;
  // Its token is for the MCP server alone.
  if (caller === 'mcp') return 401;
  if (READERS_OF_ONE.includes(caller) && !requires.includes('sites:read_single')) return 403;
  const answer = answerTo(permission, caller);
  return answer === 'yes' ? Number(Object.keys(answers)[0]) : answer === 'no' ? 403 : 404;
}

function answerTo(permission: SitePermission, caller: string): string {
  const [, ...answers] = LINES.find(([name]) => name === permission) ?? [];
  const answer = answers[CALLERS.indexOf(caller)];
  if (answer === undefined) throw new Error(`The table does not say whether ${caller} may ${permission}`);
  return answer;
}
