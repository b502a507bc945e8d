import { Agent, get } from 'node:http';

const CONCURRENCY = 2;
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

/** Asks for each path of the API, two at a time. @returns how long each answer took, in milliseconds */
export async function latencies(url: string, token: string, paths: readonly string[]): Promise<number[]> {
  const left = [...paths];
  const times: number[] = [];
  const worker = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const start = performance.now();
      await request(`${url}/api/v1${path}`, token);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return times;
}

function request(url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answers ${answer.statusCode}`));
      answer.resume().once('end', resolve);
    }).once('error', reject);
  });
}
