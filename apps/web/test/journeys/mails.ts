import { expect } from 'vitest';

/** The newest link in mails to an address. @param fragment the part of the link between `#` and its token */
export async function mailedLink(portal: string, to: string, fragment: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const mails = (await (await fetch(`${portal}/mailbox.json`)).json()) as { to: string; text: string }[];
    const link = new RegExp(`https?:\\S+#${fragment}/\\S+`);
    return mails.flatMap((mail) => (mail.to.includes(to) ? (link.exec(mail.text) ?? []) : []))[0];
  };
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}
