import { readdir, readFile } from 'node:fs/promises';
import { run } from '../machine/run-program.ts';

/** The process ids of a process and of all it started, itself first. */
export async function treeOf(pid: number): Promise<number[]> {
  const pairs = await processes();
  const tree = [pid];
  for (const parent of tree) {
    tree.push(...pairs.filter(({ parentPid }) => parentPid === parent).map((found) => found.pid));
  }
  return tree;
}

/** The process ids of those that a process started itself. */
export async function childrenOf(pid: number): Promise<number[]> {
  return (await processes()).filter(({ parentPid }) => parentPid === pid).map((found) => found.pid);
}

interface Process {
  readonly pid: number;
  readonly parentPid: number;
}

/** Every process of the machine; on Linux without `ps`, which small images lack. */
async function processes(): Promise<Process[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-eo', 'pid=,ppid=']);
    return stdout.split('\n').map((line) => {
      const [pid = 0, parentPid = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parentPid };
    });
  }
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
      // Field 4 (ppid), counted after the name, which may itself hold spaces and brackets.
      const parentPid = Number(status?.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
      return { pid, parentPid };
    }),
  );
  return found.filter(({ parentPid }) => Number.isInteger(parentPid));
}
