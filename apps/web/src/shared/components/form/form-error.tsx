import { Failure } from '../states/failure.tsx';
import { SubmitCancelled } from './submit-cancelled.ts';

/** A failure of a form that belongs to none of its inputs. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null || error instanceof SubmitCancelled) return null;
  return <Failure error={error} />;
}
