import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useDeviceSession } from '../session/session.ts';
import { CURVE, DOTS, HOME, Icon, LINK, LIST, SLIDERS, WRENCH } from './icons.tsx';
import classes from './navigation.module.css';

/** At the head of wide pages; at the foot of narrow ones, where thumbs are, with the rarer pages behind "More". */
export function Navigation() {
  const { t } = useTranslation('device');
  const { may_write: mayWrite, may_configure: mayConfigure } = useDeviceSession();
  return (
    <nav className={classes.navigation} aria-label={t('frame.navigation')}>
      <Entry icon={HOME} text={t('frame.overview')} href="/" also={['/totals', '/power']} />
      <Entry icon={CURVE} text={t('frame.history')} href="/history" />
      <Entry icon={SLIDERS} text={t('frame.settings')} href="/settings" also={['/inverter/settings']} />
      {mayWrite && (
        <More>
          {mayConfigure && <Entry icon={LINK} text={t('frame.links')} href="/links" />}
          <Entry icon={LIST} text={t('frame.log')} href="/log" />
          {mayConfigure && (
            <Entry
              icon={WRENCH}
              text={t('frame.configuration')}
              href="/configuration"
              also={['/configuration/', '/probe', '/claim']}
            />
          )}
        </More>
      )}
    </nav>
  );
}

interface EntryProps {
  readonly icon: ReactNode;
  readonly text: string;
  readonly href: string;
  /** Other paths that belong to it; those that end with a slash stand for all below. */
  readonly also?: readonly string[];
}

function Entry({ icon, text, href, also = [] }: EntryProps) {
  const [path] = useLocation();
  const isHere =
    path === href || also.some((other) => (other.endsWith('/') ? path.startsWith(other) : path === other));
  return (
    <Link className={classes.entry} href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon>{icon}</Icon>
      <span>{text}</span>
    </Link>
  );
}

function More({ children }: { children: ReactNode }) {
  const { t } = useTranslation('device');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the Escape of the links inside
    <div
      className={classes.more}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={classes.moreButton}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon>{DOTS}</Icon>
        <span>{t('frame.more')}</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it hears the clicks of links */}
      <div id={id} className={classes.rest} data-open={isOpen} onClick={() => setOpen(false)}>
        {children}
      </div>
    </div>
  );
}
