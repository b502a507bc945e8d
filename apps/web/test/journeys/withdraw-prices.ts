import type { Fixture } from '../fixture.ts';

/** Leaves the device without prices, as the next journey expects it. */
export async function withdrawPrices({ device, system }: Fixture): Promise<void> {
  const answer = await fetch(`${device}/api/v1/tariffs`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${btoa(`admin:${system.run.device.password}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ tariffs: [], reprice: true }),
  });
  if (!answer.ok) throw new Error(`The prices stay: ${await answer.text()}`);
}
