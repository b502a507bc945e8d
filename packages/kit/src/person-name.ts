/** The names of a person, of which either may be empty. */
interface Named {
  readonly first_name: string;
  readonly last_name: string;
}

/** First and last name; empty when neither is known. */
export function fullName({ first_name: first, last_name: last }: Named): string {
  return `${first} ${last}`.trim();
}

/** First and last name; without either, the email address. */
export function personName(person: Named & { readonly email: string }): string {
  return fullName(person) || person.email;
}
