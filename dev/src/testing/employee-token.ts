import { Factory, openDatabase } from '@heliograph/cloud/testing';
import { systemClock } from '@heliograph/kit';
import type { RunFile } from '../run-file.ts';

/** An API token of a new employee of the demo's organization. */
export async function employeeToken({ cloud, organization }: RunFile): Promise<string> {
  const { db, close } = openDatabase(cloud.database_url, () => undefined);
  const { token } = await new Factory(db, systemClock).employee(organization.id);
  await close();
  return token;
}
