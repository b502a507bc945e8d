import { type FormErrors, type FormValidateInput, type UseFormReturnType, useForm } from '@mantine/form';
import type { SyntheticEvent } from 'react';
import { fieldErrors } from '../../errors/fields.ts';
import { useSubmit } from './use-submit.ts';

interface ApiFormOptions<Values extends object, Result> {
  readonly initialValues: Values;
  readonly validate?: FormValidateInput<Values>;
  /** Runs once a submit, with valid values. */
  readonly send: (values: Values) => Promise<Result>;
  readonly onDone?: (result: Result) => void;
}

interface ApiForm<Values extends object> extends UseFormReturnType<Values> {
  /** The handler of the form's `onSubmit`. */
  readonly submit: (event: SyntheticEvent<HTMLFormElement>) => void;
  readonly isPending: boolean;
  /** A failure that belongs to no input of the form, for FormError. */
  readonly error: unknown;
}

/**
 * A form of values that the API validates as well: the messages of a refusal (422) become the errors of the inputs whose
 * values they are about.
 */
export function useApiForm<Values extends object, Result>({
  initialValues,
  validate,
  send,
  onDone,
}: ApiFormOptions<Values, Result>): ApiForm<Values> {
  const form = useForm<Values>({
    initialValues,
    ...(validate && { validate }),
    // An input that is corrected loses its error with the next answer of the API, not before.
    clearInputErrorOnChange: false,
  });
  const { submit, isPending, error } = useSubmit(
    async (values: Values) => {
      form.clearErrors();
      try {
        return await send(values);
      } catch (failure) {
        form.setErrors(formErrors(failure));
        throw failure;
      }
    },
    { ...(onDone && { onDone }) },
  );
  return {
    ...form,
    submit: form.onSubmit(submit, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()),
    isPending,
    error,
  };
}

/** Messages of the API (`expires_at`) by the name of the value in a form (`expiresAt`). */
export function formErrors(failure: unknown): FormErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors(failure)).map(([field, message]) => [camelCase(field), message]),
  );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
