import { Suspense } from 'react';
import { useSearch } from 'wouter';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { lazyPart } from '../../../shared/routing/lazy-part.ts';
import { BarePage } from '../../frame/bare-page.tsx';
import { useEntryLink } from './links/entry-link.ts';
import { SignIn } from './sign-in/sign-in.tsx';

// Rare cases load on demand.
const ChoosePassword = lazyPart(async () => (await import('./links/choose-password.tsx')).ChoosePassword);
const Confirm = lazyPart(async () => (await import('./links/confirm.tsx')).Confirm);
const ConfirmNewEmail = lazyPart(async () => (await import('./links/confirm-new-email.tsx')).ConfirmNewEmail);
const HandoverSignIn = lazyPart(async () => (await import('./links/handover-sign-in.tsx')).HandoverSignIn);
const SecondStep = lazyPart(async () => (await import('../second-factor/second-step.tsx')).SecondStep);
const SiteSignIn = lazyPart(async () => (await import('./to-site/site-sign-in.tsx')).SiteSignIn);

/** Signing in, and what links in mails and from sites lead to. */
export function Page() {
  return (
    <BarePage>
      <Suspense fallback={<Loading />}>
        <Content />
      </Suspense>
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
    case 'email':
      return <ConfirmNewEmail key={link.token} token={link.token} onLeave={leave} />;
    case 'reset':
    case 'set':
      return <ChoosePassword key={link.token} link={link} onLeave={leave} />;
    case 'second_factor':
      return <SecondStep key={link.token} pendingToken={link.token} isForProgram onLeave={leave} />;
    case 'session':
      return <HandoverSignIn key={link.token} token={link.token} />;
    default:
      return site === null ? <SignIn /> : <SiteSignIn site={site} query={query} />;
  }
}
