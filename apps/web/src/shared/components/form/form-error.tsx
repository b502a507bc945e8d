import { Failure } from '../states/failure.tsx';
import { GivenUp } from './given-up.ts';

/** What went wrong with a form and belongs to none of its inputs. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null || error instanceof GivenUp) return null;
  return <Failure error={error} />;
}
