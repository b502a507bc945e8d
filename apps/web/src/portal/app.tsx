import { Suspense } from 'react';
import { usePortalSession } from './session/session.ts';
import { Button, TextInput, PasswordInput } from '@mantine/core';
import { Link, Route, Switch } from 'wouter';
import { useTranslation } from 'react-i18next';

export function App() {
  return <Suspense fallback={null}><Inner/></Suspense>;
}
function Inner() {
  const s = usePortalSession();
  const { t } = useTranslation();
  return <Switch><Route path="/">{s.user?.email} {t('loading')}<TextInput label="a"/><PasswordInput label="b"/><Button>x</Button><Link href="/sites">x</Link></Route></Switch>;
}
