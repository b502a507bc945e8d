import { useSearch } from 'wouter';
import { BarePage } from '../frame/bare-page.tsx';
import { ChoosePassword } from './links/choose-password.tsx';
import { Confirm } from './links/confirm.tsx';
import { HandOver } from './links/hand-over.tsx';
import { useEntryLink } from './links/use-entry-link.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { SiteSignIn } from './to-site/site-sign-in.tsx';

/** Signing in, and what links in mails and from sites lead to. */
export function Page() {
  return (
    <BarePage>
      <Content />
    </BarePage>
  );
}

function Content() {
  const { link, leave } = useEntryLink();
  const query = new URLSearchParams(useSearch());
  const site = query.get('to_site');
  switch (link?.kind) {
    case 'confirm':
      return <Confirm key={link.token} token={link.token} onLeave={leave} />;
    case 'reset':
    case 'set':
      return <ChoosePassword key={link.token} link={link} onLeave={leave} />;
    case 'session':
      return <HandOver key={link.token} token={link.token} />;
    default:
      return site === null ? <SignIn /> : <SiteSignIn site={site} query={query} />;
  }
}
