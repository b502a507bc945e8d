import type { RegisterAnswer, RegisterBody } from '@heliograph/contracts';
import { portalCall } from '../../session/portal-call.ts';

/** Makes an account that waits for its email address to be confirmed. @throws ApiError, ConnectionError */
export async function register(body: RegisterBody): Promise<RegisterAnswer> {
  return (await portalCall('POST', '/portal/api/v1/register', body)) as RegisterAnswer;
}
