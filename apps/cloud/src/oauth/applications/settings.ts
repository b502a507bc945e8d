import {
  APPLICATION_SCOPES,
  type ApplicationScope,
  type ChangeApplicationBody,
  type CreateApplicationBody,
  UNSEEN_CHARACTERS,
} from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import type { ApplicationSettings } from './records.ts';
import { readRedirectUri } from './redirect-uri.ts';

const MAX_NAME_LENGTH = 100;
const MAX_REDIRECT_URIS = 20;

/**
 * Invisible characters and those that change the direction of text: a name on a consent page shows as it is written,
 * and no two look the same. Joiners and variation selectors are allowed for scripts that need them, and for emoji.
 */
const INVISIBLE =
  /[\u2028\u2029\u2800]|(?!\p{Join_Control}|[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const STRAY_JOINER =
  /(?:^|[\s\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])(?:\p{Join_Control}|[\ufe0e\ufe0f])/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export interface NewApplicationSettings extends ApplicationSettings {
  readonly scopes: readonly ApplicationScope[];
  readonly browserOnly: boolean;
}

/** @throws ValidationError that names every field at fault */
export function readNew(body: CreateApplicationBody): NewApplicationSettings {
  const { name, uris } = read(body);
  refuse(settingsErrors(body));
  const scopes = knownScopes(body.scopes);
  return { name: name ?? '', redirectUris: uris ?? [], scopes, browserOnly: body.browser_only ?? false };
}

/** Errors of the fields that are given. */
export function settingsErrors({ scopes, ...body }: Partial<CreateApplicationBody>): FieldErrors {
  return {
    ...read(body).errors,
    ...(scopes?.length === 0 && { scopes: ["can't be blank"] }),
    ...(knownScopes(scopes).length < new Set(scopes).size && {
      scopes: [`may be ${APPLICATION_SCOPES.join(' and ')}`],
    }),
  };
}

/** All of them by default. */
function knownScopes(scopes: CreateApplicationBody['scopes']): readonly ApplicationScope[] {
  return APPLICATION_SCOPES.filter((scope) => scopes?.includes(scope) ?? true);
}

/** @returns only the given fields @throws ValidationError that names every field at fault */
export function readChanges(body: ChangeApplicationBody): Partial<ApplicationSettings> {
  const { name, uris, errors } = read(body);
  refuse(errors);
  return { ...(name !== undefined && { name }), ...(uris !== undefined && { redirectUris: uris }) };
}

/**
 * The distinct addresses of a list, or of text with one a line. Those of a list are unchanged, lines of text are
 * trimmed.
 */
export function listedUris(given: readonly string[] | string): string[] {
  if (typeof given !== 'string') return [...new Set(given)];
  const lines = given.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** The errors of a list of addresses, as texts that continue a field's name; none when all are valid. */
export function redirectUriErrors(uris: readonly string[]): string[] {
  if (uris.length > MAX_REDIRECT_URIS) return [`can't be more than ${MAX_REDIRECT_URIS}`];
  return uris.flatMap((uri) => {
    const { fault } = readRedirectUri(uri);
    return fault === undefined ? [] : [`${fault}: ${uri.slice(0, 100)}`];
  });
}

type FieldErrors = Readonly<Record<string, readonly string[]>>;

function read({ name: written, redirect_uris: given }: ChangeApplicationBody) {
  const name = written?.trim();
  const uris = given === undefined ? undefined : listedUris(given);
  const nameError = name === undefined ? undefined : nameErrorOf(name);
  const uriErrors = redirectUriErrors(uris ?? []);
  const errors: FieldErrors = {
    ...(nameError !== undefined && { name: [nameError] }),
    ...(uriErrors.length > 0 && { redirect_uris: uriErrors }),
  };
  return { name, uris, errors };
}

function nameErrorOf(name: string): string | undefined {
  if (!VISIBLE.test(name)) return "can't be blank";
  if (name.length > MAX_NAME_LENGTH) return `can't be longer than ${MAX_NAME_LENGTH} characters`;
  return INVISIBLE.test(name) || STRAY_JOINER.test(name) ? UNSEEN_CHARACTERS : undefined;
}

function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}
