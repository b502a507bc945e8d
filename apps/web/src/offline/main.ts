/** The page that shows where there is no connection. It loads again once there is one. */
import './offline.css';

addEventListener('online', () => location.reload());
