import { expect } from 'vitest';

interface Mail {
  readonly to: string;
  readonly text: string;
  readonly html: string;
}

/** The newest link in mails to an address. @param fragment the part of the link between `#` and its token */
export async function mailedLink(portal: string, to: string, fragment: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const mails = await mailbox(portal);
    const link = new RegExp(`https?:\\S+#${fragment}/\\S+`);
    return mails.flatMap((mail) => (mail.to.includes(to) ? (link.exec(mail.text) ?? []) : []))[0];
  };
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}

/** The newest mail to an address, which has been sent. */
export async function mailTo(portal: string, to: string): Promise<Mail> {
  const mail = (await mailbox(portal)).find((one) => one.to.includes(to));
  if (mail === undefined) throw new Error(`No mail was sent to ${to}`);
  return mail;
}

async function mailbox(portal: string): Promise<Mail[]> {
  return (await (await fetch(`${portal}/mailbox.json`)).json()) as Mail[];
}
