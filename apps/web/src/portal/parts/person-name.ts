interface Person {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** The name of a person; the email address of one without a name. */
export function personName({ email, first_name: first, last_name: last }: Person): string {
  return `${first} ${last}`.trim() || email;
}
