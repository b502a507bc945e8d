import type { MailTexts } from './mail-texts.ts';

export const vi: MailTexts = {
  greeting: 'Xin chào {name},',
  greetingWithoutName: 'Xin chào,',
  linkHint: 'Nếu nút không hoạt động, vui lòng mở địa chỉ này trong trình duyệt của quý vị:',
  sentBy: 'Thư này được {brand} gửi tự động.',
  confirmation: {
    subject: 'Xác nhận địa chỉ email của quý vị cho {brand}',
    text: 'Cảm ơn quý vị đã đăng ký với {brand}. Vui lòng xác nhận địa chỉ email để hoàn tất việc thiết lập tài khoản.',
    button: 'Xác nhận địa chỉ email',
    validity: 'Liên kết chỉ dùng được một lần, trong vòng 24 giờ tới.',
    unexpected: 'Nếu quý vị không đăng ký, vui lòng bỏ qua thư này.',
  },
  reset: {
    subject: 'Chọn mật khẩu mới cho {brand}',
    text: 'Chúng tôi đã nhận được yêu cầu đặt lại mật khẩu cho tài khoản {brand} của quý vị.',
    button: 'Chọn mật khẩu mới',
    validity: 'Liên kết chỉ dùng được một lần, trong vòng 2 giờ tới.',
    unexpected:
      'Nếu quý vị không yêu cầu việc này, vui lòng bỏ qua thư này: mật khẩu của quý vị vẫn giữ nguyên.',
  },
  invitation: {
    subject: 'Lời mời tham gia {brand}',
    toSite: 'Quý vị đã được cấp quyền truy cập hệ thống điện mặt trời {site} tại {brand}.',
    toTeam: 'Quý vị được mời tham gia đội ngũ {brand}.',
    toAccount: 'Một tài khoản tại {brand} đã được tạo cho quý vị.',
    from: 'Lời mời được gửi từ {inviter}.',
    next: 'Để bắt đầu, vui lòng chọn mật khẩu.',
    button: 'Chọn mật khẩu',
    validity: 'Liên kết chỉ dùng được một lần, trong vòng 7 ngày tới.',
    unexpected: 'Nếu quý vị không biết thư này nói về việc gì, vui lòng bỏ qua.',
  },
};
