import { show } from '../shared/app-frame.tsx';

show(<div />);
