import { describeBadInput } from './every-operation.ts';

describeBadInput('organizations');
