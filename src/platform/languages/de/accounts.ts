/** Texts about accounts and signing in. */
export const ACCOUNTS: Readonly<Record<string, string>> = {
  // account
  'Your name has been changed.': 'Ihr Name wurde geändert.',
  'Your new name is waiting for review. You’ll get an email with the decision.':
    'Ihr neuer Name wird geprüft. Sie erhalten eine E-Mail mit der Entscheidung.',
  'The proposed name was withdrawn.': 'Der vorgeschlagene Name wurde zurückgezogen.',
  '“{proposed}” is waiting for review': '„{proposed}“ wird geprüft',
  'The operator declined the name “{proposed}”': 'Der Betreiber hat den Namen „{proposed}“ abgelehnt',
  'Keep “{name}”': '„{name}“ behalten',
  'Proposed on {time}. Your listings show “{name}” until the operator decides.':
    'Vorgeschlagen am {time}. Ihre Einträge zeigen „{name}“, bis der Betreiber entscheidet.',
  'Your email address has been changed, and you are signed out everywhere else. Sign in with the new address from now on.':
    'Ihre E-Mail-Adresse wurde geändert, und Sie sind überall sonst abgemeldet. Melden Sie sich ab jetzt mit der neuen Adresse an.',
  'Your password is set. All other sessions have ended.':
    'Ihr Passwort ist gespeichert. Alle anderen Geräte wurden abgemeldet.',
  'The second factor is on. From now on, you need it to sign in, unless you use a passkey.':
    'Der zweite Faktor ist eingeschaltet. Ab jetzt brauchen Sie ihn bei jeder Anmeldung, außer mit einem Passkey.',
  'The second factor is off.': 'Der zweite Faktor ist ausgeschaltet.',
  'Passkey added. You can now sign in with it.':
    'Der Passkey wurde hinzugefügt. Sie können sich jetzt damit anmelden.',
  'Passkey removed.': 'Der Passkey wurde entfernt.',
  'The session has ended.': 'Das Gerät wurde abgemeldet.',
  'Your mail settings are saved.': 'Ihre E-Mail-Einstellungen sind gespeichert.',
  'All other sessions have ended.': 'Alle anderen Geräte wurden abgemeldet.',
  'Deletion cancelled.': 'Ihr Konto bleibt bestehen.',
  'You are no longer an operator.': 'Sie sind kein Betreiber mehr.',
  'Thank you. For ten minutes, you can submit forms that are open in other tabs.':
    'Vielen Dank. Zehn Minuten lang können Sie Formulare absenden, die in anderen Tabs geöffnet sind.',
  Account: 'Konto',
  'Name and email': 'Name und E-Mail',
  Name: 'Name',
  Save: 'Speichern',
  'Change the email address': 'E-Mail-Adresse ändern',
  'Send code': 'Code senden',
  'New email address': 'Neue E-Mail-Adresse',
  'We’ll send a code to this address. The change takes effect when you enter the code.':
    'Wir senden einen Code dorthin. Ihre Adresse ändert sich, sobald Sie ihn eingegeben haben.',
  'Identity provider': 'Anmeldedienst',
  Connected: 'Verbunden',
  'Not connected': 'Nicht verbunden',
  'This service no longer has an identity provider.': 'Dieser Dienst hat keinen Anmeldedienst mehr.',
  'You can sign in with {providerName}.': 'Sie können sich mit {providerName} anmelden.',
  'Connect your account to sign in with {providerName}.':
    'Verbinden Sie ihn, um sich mit {providerName} anzumelden.',
  '{issuer}, since {time}': '{issuer}, seit {time}',
  Connect: 'Verbinden',
  'Other people’s accounts': 'Konten anderer Personen',
  'You work in {accounts}.': 'Sie arbeiten in {accounts}.',
  'Switch or leave': 'Wechseln oder verlassen',
  'Where you are signed in': 'Angemeldete Geräte',
  'This device': 'Dieses Gerät',
  Since: 'Seit',
  Actions: 'Aktionen',
  'IP address {ip}': 'IP-Adresse {ip}',
  'Since {time}': 'Seit {time}',
  'Last seen {time}': 'Zuletzt aktiv {time}',
  'Sign out: {browser}': 'Abmelden: {browser}',
  'Sign out everywhere else': 'Alle anderen Geräte abmelden',
  Mail: 'E-Mails',
  'An email to your address was refused, because the mailbox doesn’t exist or accepts no mail. For now, we only send mail that you ask for, such as sign-in codes. Once an email gets through again, we’ll send your other mail too.':
    'Eine E-Mail an Ihre Adresse wurde abgewiesen, weil es das Postfach nicht gibt oder es keine E-Mails annimmt. Deshalb senden wir nur noch, was Sie anfordern, zum Beispiel Anmeldecodes. Sobald wieder eine E-Mail ankommt, erhalten Sie auch die übrigen.',
  'Send me all mail again': 'Wieder alle E-Mails senden',
  'Send me mail about': 'Wozu möchten Sie E-Mails erhalten?',
  'Your account will be deleted on {time}': 'Ihr Konto wird am {time} gelöscht',
  'Keep my account': 'Konto behalten',
  'You can undo this until then.': 'Bis dahin können Sie es noch behalten.',
  'Your data': 'Ihre Daten',
  'One file with everything stored about you: profile, claims with their codes, sign-ins, sessions, mail and the changes you made. <a>What is stored and why</a>':
    'Eine Datei mit allem, was über Sie gespeichert ist: Profil, Gutscheine mit Codes, Anmeldungen, Geräte, E-Mails und Ihre Änderungen. <a>Was gespeichert wird und warum</a>',
  'Download {format}': '{format} herunterladen',
  'Delete your account': 'Konto löschen',
  'You are an operator, so your account can’t be deleted. Give up your operator rights first: Desk → Accounts → your account.':
    'Sie sind Betreiber, deshalb kann Ihr Konto nicht gelöscht werden. Geben Sie zuerst Ihre Betreiberrechte ab: Desk → Accounts → Ihr Konto.',
  'Your account will be deleted on {time}.': 'Ihr Konto wird am {time} gelöscht.',
  'The next page says what is deleted and what stays. After you confirm, you have a week to undo the deletion.':
    'Auf der nächsten Seite steht, was gelöscht wird und was bleibt. Danach haben Sie eine Woche Zeit, es sich anders zu überlegen.',
  'Delete my account…': 'Konto löschen …',
  'First <a>confirm it’s you</a>.': 'Bitte <a>bestätigen Sie zuerst Ihre Identität</a>.',
  '<a>Confirm it’s you in a new tab</a>, then submit this form again.':
    '<a>Bestätigen Sie Ihre Identität in einem neuen Tab</a> und senden Sie dieses Formular dann noch einmal ab.',
  'Change password': 'Passwort ändern',
  'Add a password': 'Passwort festlegen',
  Password: 'Passwort',
  'Changing your password signs you out everywhere else.':
    'Wenn Sie es ändern, werden alle anderen Geräte abgemeldet.',
  'You have no password. Without a password, you can’t sign in again after you sign out.':
    'Sie haben noch kein Passwort. Legen Sie eines fest, damit Sie sich wieder anmelden können.',
  'You have no password. You don’t need one, but it gives you another way to sign in.':
    'Sie haben kein Passwort. Sie brauchen keines, aber damit können Sie sich auf einem weiteren Weg anmelden.',
  'New password': 'Neues Passwort',
  'Your password': 'Ihr Passwort',
  'Two-factor sign-in': 'Zwei-Faktor-Anmeldung',
  On: 'Ein',
  'To sign in, you also need a code from your authenticator app, or a backup code.':
    'Bei der Anmeldung brauchen Sie zusätzlich einen Code aus Ihrer Authenticator-App oder einen Backup-Code.',
  'Create new backup codes': 'Neue Backup-Codes erstellen',
  'Turn it off': 'Ausschalten',
  Off: 'Aus',
  'When it is on, signing in also takes a code from an authenticator app on your phone.':
    'Bei der Anmeldung geben Sie dann zusätzlich einen Code aus einer Authenticator-App auf Ihrem Telefon ein.',
  'Turn it on': 'Einschalten',
  Continue: 'Weiter',
  Passkeys: 'Passkeys',
  'Sign in with your fingerprint, face or device PIN instead of a password and code.':
    'Melden Sie sich mit Fingerabdruck, Gesicht oder Geräte-PIN an, ohne Passwort und Code.',
  'Added {time}': 'Hinzugefügt am {time}',
  'Last used {time}': 'Zuletzt verwendet {time}',
  'Never used': 'Noch nie verwendet',
  'Last used': 'Zuletzt verwendet',
  Never: 'Noch nie',
  'expires|Never': 'Nie',
  'Remove…': 'Entfernen …',
  'Remove… {name}': 'Entfernen … {name}',
  'Remove “{name}”?': '„{name}“ entfernen?',
  'Remove passkey': 'Passkey entfernen',
  'You’ll no longer be able to sign in with it. Delete it on your device too.':
    'Sie können sich damit nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät.',
  'Adding a passkey requires JavaScript and a browser that supports passkeys.':
    'Zum Hinzufügen brauchen Sie JavaScript und einen Browser, der Passkeys unterstützt.',
  'Passkeys need a host name, but this service is reached at an IP address. Set BASE_URL to a URL with a host name.':
    'Passkeys brauchen einen Hostnamen, aber dieser Dienst wird über eine IP-Adresse erreicht. Setzen Sie BASE_URL auf einen Hostnamen.',
  'Add a passkey': 'Passkey hinzufügen',
  'Choose a name that helps you recognise the passkey, such as the name of its device.':
    'Damit Sie ihn wiedererkennen, zum Beispiel der Name des Geräts.',
  'Add passkey': 'Passkey hinzufügen',
  'If you confirm, your account will be deleted on {time}. Until then, nothing changes: you can sign in, use your claims, and undo the deletion on your account page. After that, it can’t be undone.':
    'Wenn Sie bestätigen, wird Ihr Konto am {time} gelöscht. Bis dahin ändert sich nichts: Sie können sich anmelden, Ihre Gutscheine nutzen und die Löschung auf Ihrer Kontoseite rückgängig machen. Danach ist das nicht mehr möglich.',
  'What is deleted': 'Was gelöscht wird',
  'Your name and email address, your password, passkeys and second factor.':
    'Ihr Name und Ihre E-Mail-Adresse, Ihr Passwort, Ihre Passkeys und Ihre Zwei-Faktor-Anmeldung.',
  'Your sessions, and the IP addresses and networks in the log of your sign-ins.':
    'Ihre angemeldeten Geräte sowie die IP-Adressen und Netze im Protokoll Ihrer Anmeldungen.',
  'Mail to you that is still stored here.': 'E-Mails an Sie, die hier noch gespeichert sind.',
  'The link between you and {claims}. You won’t find your claims and codes here any more, so <a>download your data</a> first.':
    'Die Verbindung zwischen Ihnen und {claims}. Sie finden Ihre Gutscheine und Codes hier dann nicht mehr. <a>Laden Sie deshalb zuerst Ihre Daten herunter</a>.',
  'What stays': 'Was bleibt',
  'Your claims, without your name. Apps need them to honour links and codes.':
    'Ihre Gutscheine, ohne Ihren Namen. Die Apps brauchen sie, damit Links und Codes weiter gelten.',
  'A fingerprint of your mailbox for each offer you claimed, so that nobody can claim the offer again with the same mailbox. The fingerprint can’t be turned back into your address.':
    'Ein Fingerabdruck Ihres Postfachs für jedes Angebot, das Sie sich gesichert haben, damit sich niemand das Angebot mit demselben Postfach noch einmal sichert. Ihre Adresse lässt sich daraus nicht ermitteln.',
  'The activity log, without your name and email.':
    'Das Aktivitätsprotokoll, ohne Ihren Namen und Ihre E-Mail-Adresse.',
  'Backups of this service, until its operator deletes them. After a restore, your account is deleted again.':
    'Sicherungen dieses Dienstes, bis der Betreiber sie löscht. Nach einer Wiederherstellung wird Ihr Konto erneut gelöscht.',
  'Delete my account': 'Konto löschen',
  'More about this: <a>What is stored, why and for how long</a>':
    'Mehr dazu: <a>Was gespeichert wird, warum und wie lange</a>',
  'Your apps and their claims': 'Ihre Apps und deren Gutscheine',
  '{count, plural, one {Your listing leaves the marketplace and takes no new claims.} other {Your # listings leave the marketplace and take no new claims.}} Listings that were never live are deleted. Codes that nobody has received are deleted too.':
    '{count, plural, one {Ihr Eintrag verlässt den Marktplatz und nimmt keine neuen Gutscheine mehr an.} other {Ihre # Einträge verlassen den Marktplatz und nehmen keine neuen Gutscheine mehr an.}} Einträge, die nie veröffentlicht waren, werden gelöscht, ebenso Codes, die noch niemand bekommen hat.',
  'Claims made before the deletion can be redeemed for {days} more days. After that, your API keys stop working and the claims can’t be redeemed any more.':
    'Vorher gesicherte Gutscheine können noch {days} Tage lang eingelöst werden. Dann funktionieren Ihre API-Schlüssel nicht mehr, und niemand kann sie mehr einlösen.',
  'Webhooks stop when the account is deleted.': 'Webhooks enden mit der Löschung des Kontos.',
  'your {count, number} or more claims': 'Ihren {count, number} oder mehr Gutscheinen',
  '{count, plural, one {your claim} other {your # claims}}':
    '{count, plural, one {Ihrem Gutschein} other {Ihren # Gutscheinen}}',
  'Email address': 'E-Mail-Adresse',
  'At least {minLength} characters. Try four random words.':
    'Mindestens {minLength} Zeichen, etwa vier zufällige Wörter.',
  Code: 'Code',
  'Six digits from your authenticator app, or one of your backup codes.':
    'Sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Backup-Codes.',
  'The passkey was not used: the request was cancelled or took too long. Try again.':
    'Der Passkey wurde nicht verwendet: Die Abfrage wurde abgebrochen oder hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'This device already has a passkey for this account.':
    'Dieses Gerät hat bereits einen Passkey für dieses Konto.',
  'The passkey did not work. Try again.': 'Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal.',
  or: 'oder',
  Invitation: 'Einladung',
  'You are invited': 'Sie sind eingeladen',
  'Open the invitation to see who invited you.': 'Öffnen Sie die Einladung, um zu sehen, wer Sie einlädt.',
  'Open invitation': 'Einladung öffnen',
  'From the invitation, for example K7QX3-M9TRB. The link fills in the code.':
    'Aus der Einladung, zum Beispiel K7QX3-M9TRB. Der Link füllt das Feld aus.',
  'Join {account}': 'Dem Konto „{account}“ beitreten',
  'Invited on {time}.': 'Eingeladen am {time}.',
  '{by} has invited you to join as an owner.': '{by} lädt Sie als Inhaber ein.',
  '{by} has invited you to join as a member.': '{by} lädt Sie als Mitglied ein.',
  'You can then manage everything in this account, including its API keys and members. You keep your own login.':
    'Sie können dann an allem arbeiten, was dieses Konto hat, auch an API-Schlüsseln und Mitgliedern. Ihre eigene Anmeldung behalten Sie.',
  'You can then work on this account’s listings, offers, claims, campaigns and webhooks. You keep your own login.':
    'Sie können dann an den Einträgen, Angeboten, Gutscheinen, Kampagnen und Webhooks dieses Kontos arbeiten. Ihre eigene Anmeldung behalten Sie.',
  'First sign in or sign up.': 'Melden Sie sich zuerst an oder registrieren Sie sich.',
  'First sign in or sign up with {email}.':
    'Melden Sie sich zuerst mit {email} an oder registrieren Sie sich damit.',
  'Sign in': 'Anmelden',
  'Sign up': 'Registrieren',
  'You are signed in as {email}.': 'Sie sind als {email} angemeldet.',
  Join: 'Beitreten',
  'Stop this mail?': 'Diese E-Mails abbestellen?',
  'You’ll no longer get {mail}.': 'Sie erhalten nicht mehr: {mail}.',
  'Stop this mail': 'Diese E-Mails abbestellen',
  'Stop mail': 'E-Mails abbestellen',
  'Mail stopped': 'E-Mails abbestellt',
  Undo: 'Rückgängig',
  'Mail resumed': 'E-Mails wieder abonniert',
  'You’ll get {mail} again.': 'Sie erhalten wieder: {mail}.',
  'Choose what you get': 'Auswählen, was Sie erhalten',
  Accounts: 'Konten',
  'Leave an account': 'Konto verlassen',
  Owner: 'Inhaber',
  Member: 'Mitglied',
  'You can work in these accounts. Your claims, sessions and mail are the same whichever account is open.':
    'In diesen Konten können Sie arbeiten. Ihre Gutscheine, Geräte und E-Mails bleiben immer bei Ihnen.',
  'Open now': 'Jetzt geöffnet',
  Role: 'Rolle',
  'Your own': 'Ihr eigenes',
  'account|Open {name}': 'Öffnen: {name}',
  Open: 'Öffnen',
  'Leave… {name}': 'Verlassen … {name}',
  'Leave…': 'Verlassen …',
  'Leave {name}?': '{name} verlassen?',
  'Only an owner can invite you again.': 'Nur ein Inhaber kann Sie erneut einladen.',
  Leave: 'Verlassen',
  Cancel: 'Abbrechen',
  'Your new backup codes': 'Ihre neuen Backup-Codes',
  'Turn on the second factor': 'Zwei-Faktor-Anmeldung einschalten',
  'Three steps. Nothing changes until the last one.': 'Drei Schritte. Bis zum letzten ändert sich nichts.',
  '1. Scan this with your authenticator app': '1. Scannen Sie den Code mit Ihrer Authenticator-App',
  'QR code for the authenticator app': 'QR-Code für die Authenticator-App',
  'Or enter the key in the app:': 'Oder geben Sie den Schlüssel in der App ein:',
  'the key': 'den Schlüssel',
  '2. Save the backup codes': '2. Sichern Sie die Backup-Codes',
  '3. Enter the code that the app shows': '3. Geben Sie den Code ein, den die App anzeigt',
  'Enter the code that the app shows now. If you haven’t scanned the QR code, start again on your account page.':
    'Geben Sie den Code ein, den die App jetzt anzeigt. Falls Sie den QR-Code nicht gescannt haben, beginnen Sie auf Ihrer Kontoseite von vorn.',
  'Six digits.': 'Sechs Ziffern.',
  'Each code works once in place of the app, for example if you lose your phone. The codes are shown only once.':
    'Jeder ersetzt die App einmal, zum Beispiel wenn Sie Ihr Telefon verlieren. Sie werden nur jetzt angezeigt.',
  'the backup codes': 'die Backup-Codes',
  'Download codes': 'Codes herunterladen',
  'Save them now. They are shown only once': 'Jetzt sichern: Die Codes werden nur einmal angezeigt',
  'Your earlier codes no longer work.': 'Ihre früheren Codes gelten nicht mehr.',
  'I’ve saved them': 'Ich habe sie gesichert',
  '{browser} on {system}': '{browser} unter {system}',
  'Unknown browser': 'Unbekannter Browser',
  'Browser on {system}': 'Browser unter {system}',
  // accounts
  'The email address is empty.': 'Die E-Mail-Adresse ist leer.',
  'The email address has {length, number} characters; at most {max, number} are allowed.':
    'Die E-Mail-Adresse hat {length, number} Zeichen; höchstens {max, number} sind erlaubt.',
  'The part before the @ contains {foreign}, which many mail servers don’t accept. Use an address with only unaccented Latin letters, digits and symbols before the @.':
    'Der Teil vor dem @ enthält {foreign}, was viele Mailserver nicht annehmen. Verwenden Sie eine Adresse mit lateinischen Buchstaben ohne Akzente und Umlaute, Ziffern und Zeichen vor dem @.',
  'The email address must look like ada@example.com; found {text}.':
    'Die E-Mail-Adresse muss aussehen wie ada@example.com; gefunden: {text}.',
  'The name of the account': 'Der Name des Kontos',
  'This account has been deleted.': 'Dieses Konto wurde gelöscht.',
  'An account with this email address already exists.':
    'Es gibt bereits ein Konto mit dieser E-Mail-Adresse.',
  'Your browser blocks cookies from this site, so you can’t be signed in. Allow cookies, or use another browser, then start again.':
    'Ihr Browser blockiert Cookies dieser Website, deshalb können Sie nicht angemeldet werden. Erlauben Sie Cookies oder verwenden Sie einen anderen Browser und beginnen Sie dann von vorn.',
  'An account with the email address {email} already exists.':
    'Es gibt bereits ein Konto mit der E-Mail-Adresse {email}.',
  'An account with this email address already exists. Sign in, or set a new password now.':
    'Es gibt bereits ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an oder legen Sie ein neues Passwort fest.',
  'An operator’s account can’t be deleted. Remove its operator rights first.':
    'Das Konto eines Betreibers kann nicht gelöscht werden. Entziehen Sie ihm zuerst die Betreiberrechte.',
  'We’ve just sent an email. You can ask for another one in {seconds, plural, one {# second} other {# seconds}}.':
    'Wir haben gerade eine E-Mail gesendet. In {seconds, plural, one {# Sekunde} other {# Sekunden}} können Sie eine weitere anfordern.',
  'The code has expired. Ask for a new one.': 'Der Code ist abgelaufen. Fordern Sie einen neuen an.',
  'Too many attempts. Ask for a new code, or open the link in the email.':
    'Zu viele Versuche. Fordern Sie einen neuen Code an oder öffnen Sie den Link in der E-Mail.',
  'This code is wrong. Check the newest email, or open the link in it.':
    'Dieser Code ist falsch. Sehen Sie in die neueste E-Mail oder öffnen Sie den Link darin.',
  'This code can’t be used here.': 'Dieser Code kann hier nicht verwendet werden.',
  'Your code to claim {offer}': 'Ihr Code für {offer}',
  'Your code to claim “{offer}” from {listing}:': 'Ihr Code, um sich „{offer}“ von {listing} zu sichern:',
  'Claim the offer': 'Angebot sichern',
  'Your claims': 'Ihre Gutscheine',
  'Open my claims': 'Meine Gutscheine öffnen',
  'Your sign-in code': 'Ihr Anmeldecode',
  'Enter this code in the window where you asked for it, or open the link on any device.':
    'Geben Sie diesen Code in dem Fenster ein, in dem Sie ihn angefordert haben, oder öffnen Sie den Link auf einem beliebigen Gerät.',
  'The code and the link expire in 10 minutes, and you can use only one of them. If you didn’t ask for this email, ignore it: nobody can sign in without it.':
    'Code und Link gelten 10 Minuten lang, und nur einer von beiden kann verwendet werden. Falls Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie: Ohne sie kann sich niemand anmelden.',
  'Confirm your new email address': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'Confirm that you want to move your {name} account to this address.':
    'Bestätigen Sie, dass Ihr Konto bei {name} zu dieser Adresse wechseln soll.',
  'Confirm the address': 'Adresse bestätigen',
  'Or enter this code in the window where you asked for it:':
    'Oder geben Sie diesen Code in dem Fenster ein, in dem Sie ihn angefordert haben:',
  'The link and the code are valid for an hour or until you use one of them. If you didn’t ask for this mail, ignore it.':
    'Link und Code gelten eine Stunde lang, bis Sie eines davon benutzen. Falls Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie.',
  'You already have a {name} account': 'Sie haben bereits ein Konto bei {name}',
  'Someone, perhaps you, tried to move another account to this address. This address already has an account, so nothing was changed.':
    'Jemand, vielleicht Sie, wollte ein anderes Konto auf diese Adresse umstellen. Zu dieser Adresse gibt es schon ein Konto, deshalb wurde nichts geändert.',
  'Your {name} account has a new email address': 'Ihr Konto bei {name} hat eine neue E-Mail-Adresse',
  'From now on, you sign in with {to} and no longer with this address.':
    'Ab jetzt melden Sie sich mit {to} an und nicht mehr mit dieser Adresse.',
  'If you didn’t make this change, contact the operator of this marketplace immediately.':
    'Falls diese Änderung nicht von Ihnen ist, wenden Sie sich sofort an den Betreiber dieses Marktplatzes.',
  'Contact the operator': 'Betreiber kontaktieren',
  'Or open this page and enter the code below':
    'Oder öffnen Sie diese Seite und geben Sie den Code unten ein',
  'The link and the code are valid for an hour or until you use one of them. If you didn’t ask for this mail, ignore it: your password stays the same.':
    'Link und Code gelten eine Stunde lang, bis Sie eines davon benutzen. Falls Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie: Ihr Passwort bleibt, wie es ist.',
  'Your account will be deleted': 'Ihr Konto wird gelöscht',
  'You haven’t used your {name} account for a long time, so it will be deleted on {when}. To keep it, sign in before then.':
    'Sie haben Ihr Konto bei {name} lange nicht genutzt, deshalb wird es am {when} gelöscht. Um es zu behalten, melden Sie sich vorher an.',
  'Your {name} account will be deleted on {when}. To keep it, sign in before then and open your account page.':
    'Ihr Konto bei {name} wird am {when} gelöscht. Bis dahin können Sie es behalten: Melden Sie sich an und öffnen Sie Ihre Kontoseite.',
  'Open my account': 'Mein Konto öffnen',
  'What is deleted and what stays': 'Was gelöscht wird und was bleibt',
  'Too many attempts. Try again in {wait}, or set a new password now.':
    'Zu viele Versuche. Versuchen Sie es in {wait} noch einmal oder legen Sie jetzt ein neues Passwort fest.',
  'Too many wrong codes were entered for this email address. Open the link in the email, or try again in {wait}.':
    'Für diese Adresse wurden zu viele falsche Codes eingegeben. Öffnen Sie den Link in der E-Mail oder versuchen Sie es in {wait} noch einmal.',
  'We’ve already sent several emails to this address. Open the link in the newest one, or try again in {wait}.':
    'Wir haben schon mehrere E-Mails an diese Adresse geschickt. Öffnen Sie den Link in der neuesten oder versuchen Sie es in {wait} noch einmal.',
  'Only owners of this account can do this.': 'Das können nur Inhaber dieses Kontos.',
  'Your company hasn’t confirmed the email address of your account. Ask the person who manages the company’s accounts.':
    'Ihr Unternehmen hat die E-Mail-Adresse Ihres Kontos nicht bestätigt. Fragen Sie die Person, die es verwaltet.',
  'Signing in with {name} does not work right now. Try again in a moment, or sign in another way.':
    'Die Anmeldung mit {name} funktioniert gerade nicht. Versuchen Sie es gleich noch einmal oder melden Sie sich anders an.',
  'Signing in with {name} is not set up correctly. Tell <operator>the operator of this marketplace</operator>.':
    'Die Anmeldung mit {name} ist nicht richtig eingerichtet. Sagen Sie <operator>dem Betreiber dieses Marktplatzes</operator> Bescheid.',
  'Your sign-in with {name} was cancelled or refused.':
    'Die Anmeldung mit {name} wurde dort abgebrochen oder abgelehnt.',
  'This sign-in with {name} was already used or has expired. Start again.':
    'Diese Anmeldung mit {name} wurde bereits verwendet oder ist abgelaufen. Beginnen Sie von vorn.',
  'This service can’t see the email address of your company account. Ask the person who manages the company’s accounts.':
    'Dieser Dienst sieht die E-Mail-Adresse Ihres Firmenkontos nicht. Fragen Sie die Person, die es verwaltet.',
  'An account with your email address already exists here. Sign in to it as before, then connect your company account to it. If you don’t know your password here, set a new one first.':
    'Hier gibt es bereits ein Konto mit Ihrer E-Mail-Adresse. Melden Sie sich wie bisher dort an und verbinden Sie dann beide. Wenn Sie das Passwort nicht kennen, legen Sie zuerst ein neues fest.',
  'This browser is signed in to another account. Sign out first, then sign in again.':
    'Dieser Browser ist in einem anderen Konto angemeldet. Melden Sie sich zuerst ab und dann neu an.',
  'This account is suspended. Contact <operator>the operator of this marketplace</operator>.':
    'Dieses Konto ist gesperrt. Wenden Sie sich an <operator>den Betreiber dieses Marktplatzes</operator>.',
  'This sign-in was started in another browser, was already used, or has expired. Start again.':
    'Diese Anmeldung wurde in einem anderen Browser begonnen, bereits verwendet oder ist abgelaufen. Beginnen Sie von vorn.',
  'The code is missing.': 'Der Code fehlt.',
  'A code has {length} letters and digits, such as K7QX3-M9TRB. Check what you typed.':
    'Der Code hat {length} Buchstaben und Ziffern, zum Beispiel K7QX3-M9TRB. Prüfen Sie ihn.',
  'This code does not work. It may be mistyped, already used, replaced or expired.':
    'Dieser Code gilt nicht. Vielleicht ist er falsch abgetippt, bereits verwendet, ersetzt oder abgelaufen.',
  'A code has {length} digits, such as 1234 5678. Check what you typed.':
    'Der Code hat {length} Ziffern, zum Beispiel 1234 5678. Prüfen Sie ihn.',
  'The name of the passkey': 'Der Name des Passkeys',
  'Passkeys need a host name, but this service is reached at an IP address.':
    'Passkeys brauchen einen Hostnamen, aber dieser Dienst wird über eine IP-Adresse erreicht.',
  'An account can have at most {max} passkeys. Remove one first.':
    'Ein Konto hat höchstens {max} Passkeys. Entfernen Sie zuerst einen.',
  'This passkey is already registered.': 'Dieser Passkey ist bereits registriert.',
  'This passkey is not registered here. Use another way to sign in.':
    'Dieser Passkey ist hier nicht registriert. Melden Sie sich auf einem anderen Weg an.',
  'The password has {length, plural, one {# character} other {# characters}}; it must have at least {minimum}. Use a password manager, or four random words.':
    'Das Passwort hat {length, plural, one {# Zeichen} other {# Zeichen}}; es muss mindestens {minimum} haben. Verwenden Sie einen Passwortmanager oder vier zufällige Wörter.',
  'The password has {length, number} characters; at most {max, number} are allowed.':
    'Das Passwort hat {length, number} Zeichen; höchstens {max, number} sind erlaubt.',
  'The password is easy to guess: it is made of common passwords, your name or address, the name of this service, repetitions or sequences. Use a password manager, or four random words.':
    'Das Passwort ist leicht zu erraten: Es besteht aus häufigen Passwörtern, Ihrem Namen oder Ihrer Adresse, dem Namen dieses Dienstes, Wiederholungen oder Folgen. Verwenden Sie einen Passwortmanager oder vier zufällige Wörter.',
  'No account was created, because sign-up is closed. Ask <operator>the operator of this marketplace</operator>.':
    'Es wurde kein Konto angelegt, denn Registrierungen sind geschlossen. Wenden Sie sich an <operator>den Betreiber dieses Marktplatzes</operator>.',
  'People with an address at {domain} can’t sign up here. Use another address, or ask <operator>the operator of this marketplace</operator>.':
    'Mit einer Adresse bei {domain} kann man sich hier nicht registrieren. Verwenden Sie eine andere Adresse oder fragen Sie <operator>den Betreiber dieses Marktplatzes</operator>.',
  'Addresses at {domain} can’t be used here. Use another one.':
    'Adressen bei {domain} können hier nicht verwendet werden. Verwenden Sie eine andere.',
  'Publishing needs the approval of <operator>the operator of this marketplace</operator>. Ask for it on your dashboard.':
    'Zum Veröffentlichen ist die Zustimmung <operator>des Betreibers dieses Marktplatzes</operator> nötig. Bitten Sie auf Ihrem Dashboard darum.',
  'The password is wrong.': 'Das Passwort ist falsch.',
  'This account has a password now. Reload the page.':
    'Dieses Konto hat jetzt ein Passwort. Laden Sie die Seite neu.',
  'The email address or the password is wrong.': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'The address of this account is not confirmed yet. Sign in with a code sent by mail.':
    'Die Adresse dieses Kontos ist noch nicht bestätigt. Melden Sie sich mit einem Code per E-Mail an.',
  'This took too long. Sign in again.': 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  'Too many attempts. Sign in again.': 'Zu viele Versuche. Melden Sie sich noch einmal an.',
  'This passkey belongs to another account.': 'Dieser Passkey gehört zu einem anderen Konto.',
  'Accept the terms to continue.': 'Akzeptieren Sie die AGB, um fortzufahren.',
  'The terms have changed again. Read them, then accept them.':
    'Die AGB haben sich noch einmal geändert. Lesen Sie sie und akzeptieren Sie sie dann.',
  '{hours, plural, other {# hours}}': '{hours, plural, other {# Stunden}}',
  '{minutes, plural, =1 {a minute} other {# minutes}}':
    '{minutes, plural, =1 {einer Minute} other {# Minuten}}',
  'Too many attempts. Try again in {wait}.': 'Zu viele Versuche. Versuchen Sie es in {wait} noch einmal.',
  'The second factor is already on.': 'Der zweite Faktor ist bereits eingeschaltet.',
  'The second factor is off. Turn it on first.':
    'Der zweite Faktor ist ausgeschaltet. Schalten Sie ihn zuerst ein.',
  'The code is wrong. Codes change every 30 seconds; enter the current one from your app.':
    'Der Code ist falsch. Codes wechseln alle 30 Sekunden; geben Sie den aktuellen aus Ihrer App ein.',
  'Without a second factor, a password needs at least {min} characters. Change yours to a longer one first.':
    'Ohne zweiten Faktor muss ein Passwort mindestens {min} Zeichen haben. Ändern Sie Ihres zuerst in ein längeres.',
  'The code is wrong. Codes change every 30 seconds; each backup code works only once.':
    'Der Code ist falsch. Codes wechseln alle 30 Sekunden; ein Backup-Code gilt einmal.',
  'This code was already used. Wait for the next one; your app shows it within 30 seconds.':
    'Dieser Code wurde bereits verwendet. Warten Sie auf den nächsten; er kommt innerhalb von 30 Sekunden.',
  'Codes from your authenticator app can’t be checked at the moment. Use a backup code, or ask <operator>the operator of this marketplace</operator> to reset your second factor.':
    'Codes aus Ihrer Authenticator-App können im Moment nicht geprüft werden. Verwenden Sie einen Backup-Code oder bitten Sie <operator>den Betreiber dieses Marktplatzes</operator>, Ihren zweiten Faktor zurückzusetzen.',
  // config
  'your company’s account': 'dem Konto Ihres Unternehmens',
  'Your browser first has to check that you’re a person. This takes a few seconds.':
    'Ihr Browser prüft zuerst, ob Sie ein Mensch sind. Das dauert wenige Sekunden.',
  'Many emails or accounts were requested here recently, so this form currently works only with JavaScript and over https. If you can’t use them, contact <operator>the operator of this marketplace</operator>.':
    'Hier wurden zuletzt viele E-Mails oder Konten angefordert, deshalb funktioniert dieses Formular im Moment nur mit JavaScript und über https. Wenn das bei Ihnen nicht möglich ist, wenden Sie sich an <operator>den Betreiber dieses Marktplatzes</operator>.',
  'Checking that you’re a person. You can keep typing.':
    'Ihr Browser prüft, ob Sie ein Mensch sind. Sie können weitertippen.',
  'Check complete. You can continue.': 'Prüfung abgeschlossen. Sie können fortfahren.',
};
