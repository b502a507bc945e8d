interface Person {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** What somebody is called; their address where they have given no name. */
export function personName({ email, first_name: first, last_name: last }: Person): string {
  return `${first} ${last}`.trim() || email;
}
