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
  secondFactor: {
    passkey_added: {
      subject: '您的 {brand} 帳戶已新增通行金鑰',
      text: '通行金鑰「{name}」已新增至您的 {brand} 帳戶，可用於登入。',
    },
    passkey_removed: {
      subject: '您的 {brand} 帳戶已移除通行金鑰',
      text: '通行金鑰「{name}」已從您的 {brand} 帳戶移除，不能再用於登入。',
    },
    app_added: {
      subject: '您的 {brand} 帳戶已新增驗證器應用程式',
      text: '您的 {brand} 帳戶已新增驗證器應用程式。登入時現在需要輸入其中的驗證碼。',
    },
    app_removed: {
      subject: '您的 {brand} 帳戶已移除驗證器應用程式',
      text: '您的 {brand} 帳戶已移除驗證器應用程式，其驗證碼不再有效。',
    },
    codes_made: {
      subject: '您的 {brand} 帳戶有新的復原碼',
      text: '已為您的 {brand} 帳戶產生新的復原碼，舊的復原碼不再有效。',
    },
    code_used: {
      subject: '您的 {brand} 帳戶使用了一組復原碼',
      text: '您的 {brand} 帳戶使用了復原碼代替第二重驗證。剩餘未使用的復原碼：{left}。',
    },
    reset: {
      subject: '您的 {brand} 帳戶的第二重驗證已重設',
      text: '{brand} 的營運者已移除您帳戶的所有第二重驗證方式，並結束所有工作階段。在您重新設定之前，僅憑密碼即可登入。',
    },
    button: '檢視安全性設定',
    unexpected: '如果不是您本人的操作，請立即變更密碼、結束所有其他工作階段並通知我們。',
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
  accountNotice: {
    time: '時間：{time}',
    address: '位址：{address}',
  },
  passwordChanged: {
    subject: '您的 {brand} 帳戶密碼已變更',
    text: '您的 {brand} 帳戶已設定新密碼。其他工作階段已結束；API 權杖保持不變。',
    button: '選擇另一個密碼',
    unexpected: '如果不是您本人操作，請立即選擇另一個密碼，撤銷您不認識的 API 權杖，並查看帳戶的安全性活動。',
  },
  tokenCreated: {
    subject: '您的 {brand} 帳戶有新的 API 權杖',
    text: '已為您的 {brand} 帳戶建立 API 權杖「{name}」。持有它的程式將以您的名義使用 API。',
    scopes: '它可以：{scopes}。',
    button: '查看 API 權杖',
    unexpected: '如果不是您本人操作，請立即在該頁面撤銷此權杖並變更密碼。',
  },
  unknownNetwork: {
    subject: '您的 {brand} 帳戶有新的登入',
    text: '有人從過去 90 天內未使用過的網路登入了您的 {brand} 帳戶。',
    button: '查看您的登入位置',
    unexpected: '如果不是您本人操作，請在該頁面結束該工作階段並立即變更密碼。',
  },
  tokenScopes: {
    'sites:read_all': '讀取您可以看到的所有電站及其即時數值',
    'sites:write_all': '在您是擁有者或管理員的電站變更設定；註冊電站；邀請、變更和移除成員',
    'sites:recover_all': '開啟和關閉支援工作階段',
    'users:read_all': '讀取人員目錄',
    'orders:read_all': '讀取訂單',
    'orders:write_all': '將訂單標記為已付款',
    'products:read_all': '讀取產品目錄',
    'tickets:read_all': '讀取支援工單',
    'tickets:write_all': '回覆和變更支援工單',
  },
};
