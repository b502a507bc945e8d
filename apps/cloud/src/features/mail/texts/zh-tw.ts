import type { MailTexts } from './mail-texts.ts';

export const zhTw: MailTexts = {
  greeting: '{name}，您好：',
  greetingWithoutName: '您好：',
  linkHint: '如果按鈕無法使用，請在瀏覽器中開啟以下網址：',
  sentBy: '此郵件由 {brand} 自動寄出。',
  confirmation: {
    subject: '請確認您的電子郵件地址 - {brand}',
    text: '感謝您註冊 {brand}。請確認您的電子郵件地址，以完成帳戶設定。',
    button: '確認電子郵件地址',
    validity: '此連結僅能使用一次，24 小時內有效。',
    unexpected: '如果您並未註冊，請忽略此郵件。',
  },
  reset: {
    subject: '請為 {brand} 設定新密碼',
    text: '我們收到了重設您 {brand} 帳戶密碼的要求。',
    button: '設定新密碼',
    validity: '此連結僅能使用一次，2 小時內有效。',
    unexpected: '如果這不是您提出的要求，請忽略此郵件：您的密碼將維持不變。',
  },
  invitation: {
    subject: '{brand} 邀請您加入',
    toSite: '您已獲得 {brand} 太陽能電站 {site} 的存取權限。',
    toTeam: '您已受邀加入 {brand} 團隊。',
    toAccount: '已為您在 {brand} 建立帳戶。',
    from: '邀請人：{inviter}。',
    next: '請先設定密碼，即可開始使用。',
    button: '設定密碼',
    validity: '此連結僅能使用一次，7 天內有效。',
    unexpected: '如果您不清楚此郵件的來由，請忽略。',
  },
};
