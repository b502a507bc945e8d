import { Failure } from '../states/failure.tsx';

/** What went wrong with a form and belongs to none of its inputs. */
export function FormError({ error }: { readonly error: unknown }) {
  return error === undefined || error === null ? null : <Failure error={error} />;
}
