// French, with "vous", and wording that doesn't depend on the reader's gender.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'many' | 'other'>('fr');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) {
    const n = number(minutes);
    return plural(minutes, { one: 'une minute', many: `${n} de minutes`, other: `${n} minutes` });
  }
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) {
    const n = number(hours);
    return plural(hours, { one: 'une heure', many: `${n} d’heures`, other: `${n} heures` });
  }
  const days = Math.ceil(hours / 24);
  const n = number(days);
  return plural(days, { one: 'un jour', many: `${n} de jours`, other: `${n} jours` });
};

/** Intl writes "1 mars", but in a sentence it is "le 1er mars". */
const on = (day: string) => `le ${day.replace(/^1 /, '1er ')}`;

const eachCode = 'Chaque code vous permet de vous connecter une fois sans votre appareil.';

const notConfirmed =
  'Nous n’avons pas pu vérifier quelle application a ouvert cette page. Le retour vers l’application a donc été bloqué.';

export const fr: Catalogue = {
  skipToContent: 'Aller au contenu',
  dismiss: 'Fermer',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Langue',
  links: { support: 'Aide', terms: 'Conditions d’utilisation', privacy: 'Politique de confidentialité' },

  signIn: {
    title: 'Se connecter',
    continueTo: (app) => `pour continuer vers ${app}`,
    toAccount: 'à votre compte',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    failed: 'Adresse e-mail ou mot de passe incorrect.',
    throttled: (minutes) => `Trop de tentatives infructueuses. Réessayez dans ${waitingTime(minutes)}.`,
    incomplete: 'Saisissez votre adresse e-mail et votre mot de passe.',
    forgotten: 'Mot de passe oublié ?',
    create: 'Créer un compte',
    passkey: 'Se connecter avec une clé d’accès',
    passkeyFailed: 'La clé d’accès n’a pas fonctionné. Réessayez ou utilisez votre mot de passe.',
    keep: 'Maintenir la connexion',
  },

  emailCodes: {
    send: 'Recevoir un code par e-mail',
    title: 'Consultez votre messagerie',
    lead: (email) =>
      `Nous avons envoyé un e-mail à ${email}. Saisissez le code qu’il contient. Il est valable 10 minutes, une seule fois et uniquement dans ce navigateur.`,
    code: 'Code',
    again: 'Envoyer un nouveau code',
    usePassword: 'Utiliser votre mot de passe',
    wrong: 'Ce code est incorrect ou a expiré.',
    spent: 'Trop de codes incorrects. Demandez-en un nouveau.',
    recoveryTitle: 'Contactez votre administrateur',
    recovery:
      'Votre adresse e-mail n’avait jamais été vérifiée et la validation en deux étapes est activée pour ce compte : quelqu’un d’autre l’a peut-être configurée. Demandez à votre administrateur de supprimer la validation en deux étapes et de vous donner un lien de récupération.',
    proofLead: (email) => `Nous enverrons un code à ${email}. Nous ne vous le redemanderons pas pendant 15 minutes.`,
    reviewLead: (day) =>
      `Votre adresse e-mail a été vérifiée (${day}). Ce qui avait été configuré auparavant, comme un mot de passe, a été supprimé, car une autre personne a pu le faire. Vérifiez ce qui a encore accès à votre compte.`,
    reviewMethods: 'Codes par e-mail uniquement.',
    email: {
      subjects: { sign_in: 'Votre code de connexion', proof: 'Votre code de confirmation' },
      texts: {
        sign_in:
          'Saisissez ce code pour vous connecter. Il ne fonctionne qu’une fois, dans le navigateur qui l’a demandé, et expire dans 10 minutes.',
        proof:
          'Saisissez ce code pour confirmer votre identité. Il ne fonctionne qu’une fois, dans le navigateur qui l’a demandé, et expire dans 10 minutes.',
      },
      asked: (device, ipAddress) => `Demande effectuée depuis : ${device}, adresse IP ${ipAddress}.`,
      warning: 'Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Ne communiquez ce code à personne.',
    },
    notForYou: {
      subject: 'Connectez-vous avec votre mot de passe ou une clé d’accès',
      text: 'Quelqu’un, probablement vous, a demandé un code de connexion. La validation en deux étapes est activée pour votre compte : utilisez votre mot de passe ou une clé d’accès.',
    },
    noAccount:
      'Quelqu’un, probablement vous, a demandé un code de connexion avec cette adresse e-mail, mais elle n’est associée à aucun compte. Vous avez peut-être créé le vôtre avec une autre adresse.',
  },

  account: {
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    newPasswordHint: 'Au moins 8 caractères. Essayez par exemple quelques mots sans rapport entre eux.',
    name: 'Nom complet',
    nav: 'Votre compte',
    signOut: 'Se déconnecter',
    signedInAs: 'Compte utilisé',
    menu: 'Menu',
    reveal: {
      show: 'Afficher',
      hide: 'Masquer',
      showPassword: 'Afficher le mot de passe',
      hidePassword: 'Masquer le mot de passe',
    },
    file: { choose: 'Choisir un fichier', none: 'Aucun fichier choisi' },
    throttled: (minutes) => `Trop de tentatives. Réessayez dans ${waitingTime(minutes)}.`,
    invalidName: 'Saisissez un nom de 1 à 100 caractères, dont au moins un visible.',
    invalidEmail: 'Saisissez une adresse e-mail valide.',
    managed: 'C’est votre organisation qui gère cela.',
    noEmail:
      'Cette fonctionnalité n’est pas disponible, car ce service ne peut pas encore envoyer d’e-mails. Contactez votre administrateur.',
    passwordProblems: {
      too_short: 'Utilisez au moins 8 caractères.',
      too_long: 'N’utilisez pas plus de 256 caractères.',
      not_text: 'Ce mot de passe contient des caractères non autorisés.',
      common: 'Ce mot de passe est trop courant. Choisissez-en un autre.',
      personal: 'Votre mot de passe ne peut pas être votre nom ou votre adresse e-mail. Choisissez-en un autre.',
      breached:
        'Ce mot de passe figure dans une fuite de données : d’autres personnes le connaissent peut-être. Choisissez-en un que vous n’utilisez nulle part ailleurs.',
      not_allowed: 'Les mots de passe ne peuvent pas être utilisés ici. Créez plutôt une clé d’accès.',
    },
    sections: {
      home: 'Vos applications',
      profile: 'Profil',
      security: 'Sécurité',
      sessions: 'Appareils',
      apps: 'Applications connectées',
      activity: 'Activité',
      data: 'Vos données',
    },
    console: 'Console d’administration',
    notices: {
      welcome: 'Bienvenue ! Votre compte est prêt.',
      profile: 'Profil enregistré.',
      picture: 'Photo mise à jour.',
      password: 'Mot de passe modifié. Vos autres appareils ont été déconnectés.',
      authenticator: 'Application d’authentification supprimée.',
      'authenticator-added': 'Application d’authentification ajoutée.',
      passkey: 'Clé d’accès supprimée.',
      'password-removed': 'Mot de passe supprimé. Vos autres appareils ont été déconnectés.',
      'password-set': 'Mot de passe défini. Vos autres appareils ont été déconnectés.',
      'identity-linked': 'Compte associé.',
      'identity-unlinked': 'Compte dissocié.',
      'passkey-added': 'Clé d’accès ajoutée.',
      session: 'Appareil déconnecté.',
      sessions: 'Autres appareils déconnectés.',
      proof: 'Identité confirmée.',
      untrusted: 'L’appareil ne fait plus partie des appareils de confiance.',
      'method-kept': 'Méthode de connexion conservée.',
      'method-removed': 'Méthode de connexion supprimée.',
      'not-possible': 'L’opération n’a pas abouti. Une modification a peut-être été effectuée dans une autre fenêtre.',
    },

    signUp: {
      title: 'Créer un compte',
      toContinue: (app) => `pour continuer vers ${app}`,
      lead: 'Nous vous enverrons par e-mail un lien pour terminer la création de votre compte.',
      submit: 'Envoyer le lien',
      haveOne: 'Vous avez déjà un compte ?',
      closed: 'Sur ce service, les comptes sont créés par un administrateur. Demandez au vôtre de vous en créer un.',
      finishTitle: 'Terminez la création de votre compte',
      finishLead: (email) => `Vous vous connecterez avec l’adresse ${email}.`,
      inviteTitle: 'Vous avez reçu une invitation',
      setUpTitle: 'Configurer ce service',
      setUpLead: 'Créez le premier compte administrateur.',
      emailTaken: 'Il existe déjà un compte avec cette adresse e-mail.',
      nameHint: 'C’est le nom que verront les applications.',
      finish: 'Créer le compte',
    },
    emailSent: {
      title: 'Consultez votre messagerie',
      text: (email) => `Nous avons envoyé un e-mail à ${email}. Ouvrez le lien qu’il contient pour continuer.`,
      hint: 'Toujours rien après quelques minutes ? Vérifiez votre dossier Spam ou réessayez.',
      again: 'Renvoyer l’e-mail',
      other: 'Utiliser une autre adresse e-mail',
      outbox: 'Ce service est en mode développement : l’e-mail se trouve dans sa boîte d’envoi.',
    },
    resetPassword: {
      title: 'Réinitialiser votre mot de passe',
      lead: 'Nous vous enverrons par e-mail un lien pour choisir un nouveau mot de passe. Ce lien est à usage unique et expire au bout de 30 minutes.',
      submit: 'Envoyer le lien',
      back: 'Retour à la connexion',
      finishTitle: 'Choisissez un nouveau mot de passe',
      finishLead: 'Tous vos appareils seront déconnectés.',
      finish: 'Définir le mot de passe',
      doneTitle: 'Mot de passe modifié',
      done: 'Connectez-vous avec votre nouveau mot de passe. Les méthodes de connexion ajoutées au cours des 7 derniers jours sont suspendues jusqu’à ce que vous les ayez vérifiées.',
      signIn: 'Se connecter',
    },
    linkExpired: {
      title: 'Ce lien a expiré',
      text: 'Il a peut-être déjà été utilisé ou remplacé par un lien plus récent. Rien n’a été modifié.',
      again: 'Obtenir un nouveau lien',
      askAdministrator: 'Demandez un nouveau lien à votre administrateur.',
    },

    secondStep: {
      title: 'Validation en deux étapes',
      lead: 'Saisissez le code de votre application d’authentification ou un code de récupération.',
      leadPasskeyOnly: 'Utilisez votre clé d’accès ou saisissez un code de récupération.',
      code: 'Code',
      submit: 'Continuer',
      passkey: 'Utiliser une clé d’accès',
      failed: 'Ce code est incorrect ou a déjà été utilisé.',
      passkeyFailed: 'Cette clé d’accès n’a pas fonctionné. Réessayez ou saisissez un code.',
      tooManyCodes: (minutes) =>
        `Trop de codes incorrects. Utilisez un code de récupération ou une clé d’accès, ou réessayez dans ${waitingTime(minutes)}.`,
      trust: 'Ne pas demander de code sur cet appareil pendant 30 jours',
      lost: 'Vous n’avez plus votre appareil ni vos codes de récupération ? Contactez votre administrateur.',
      other: 'Utiliser un autre compte',
    },

    proof: {
      leadElsewhere: 'Connectez-vous de nouveau pour continuer. Nous ne vous le redemanderons pas pendant 15 minutes.',
      noWay:
        'Nous ne pouvons pas vérifier votre identité pour le moment : vous n’avez pas de mot de passe et le compte avec lequel vous vous connectez n’est pas disponible. Définissez d’abord un mot de passe par e-mail.',
      byEmail: 'Définir un mot de passe par e-mail',
      confirmedTitle: 'Identité confirmée',
      confirmed: 'Vous pouvez maintenant poursuivre votre modification.',
      goOn: 'Continuer',
      title: 'Confirmez votre identité',
      lead: 'Saisissez votre mot de passe pour continuer. Il ne vous sera plus demandé pendant 15 minutes.',
      leadWithCode:
        'Utilisez la validation en deux étapes pour continuer. Elle ne vous sera plus demandée pendant 15 minutes.',
      password: 'Mot de passe',
      submit: 'Confirmer',
      enterCode: 'Saisissez votre code.',
      wrongPassword: 'Mot de passe incorrect.',
      cancel: 'Annuler',
    },

    profile: {
      pictureElsewhere: (host) => `Votre photo provient de ${host}. Elle n’est pas affichée ici.`,
      lead: 'Ce que voient les applications lorsque vous partagez votre profil avec elles.',
      givenName: 'Prénom',
      familyName: 'Nom de famille',
      username: 'Nom d’utilisateur',
      usernameHint:
        'Facultatif. De 3 à 30 caractères, le premier étant une lettre. Les applications qui voient votre profil peuvent afficher ce nom.',
      usernameTaken: 'Ce nom d’utilisateur est déjà pris.',
      usernameProblems: {
        too_short: 'Utilisez au moins 3 caractères.',
        too_long: 'N’utilisez pas plus de 30 caractères.',
        invalid_start: 'Le nom d’utilisateur doit commencer par une lettre.',
        invalid_characters:
          'Utilisez uniquement les lettres de a à z, des chiffres, des points, des traits d’union et des tirets bas.',
      },
      locale: 'Langue',
      noLocale: 'Non définie',
      save: 'Enregistrer le profil',
      invalidLocale: 'Choisissez une langue dans la liste.',
      picture: 'Photo',
      pictureHint: 'PNG, JPEG ou WebP, 512 Ko au maximum. Les données de localisation sont supprimées.',
      upload: 'Importer la photo',
      removePicture: 'Supprimer la photo',
      pictureProblems: {
        not_a_picture: 'Ce fichier n’est pas une image PNG, JPEG ou WebP, ou il est endommagé.',
        too_large: 'Cette photo dépasse 512 Ko.',
        too_many_pixels: 'Cette photo contient trop de pixels.',
        none: 'Choisissez d’abord un fichier.',
      },
      address: 'Adresse e-mail',
      verified: 'vérifiée',
      unverified: 'non vérifiée',
      verify: 'Vérifier l’adresse e-mail',
      changeAddress: 'Modifier l’adresse e-mail',
    },
    attributes: {
      none: 'Non renseigné',
      yes: 'Oui',
      no: 'Non',
      list: 'Séparez les éléments par des virgules.',
      listOf: (values) => `Séparez les éléments par des virgules. Valeurs autorisées : ${values}.`,
      problems: {
        wrong_kind: 'Saisissez un nombre, par exemple 12.5.',
        not_allowed: 'Utilisez uniquement les valeurs autorisées.',
        too_long: 'Cette valeur est trop longue.',
        characters: 'Cette valeur contient des caractères non autorisés.',
      },
    },
    changeEmail: {
      title: 'Modifier votre adresse e-mail',
      lead: (email) =>
        `Votre adresse e-mail est ${email}. Elle ne changera que lorsque vous aurez ouvert le lien envoyé à la nouvelle adresse.`,
      newAddress: 'Nouvelle adresse e-mail',
      submit: 'Envoyer le lien',
      same: 'C’est déjà votre adresse e-mail.',
      confirmTitle: 'Confirmez votre nouvelle adresse e-mail',
      confirmLead: (email, current) => `Votre adresse e-mail ${current} sera remplacée par ${email}.`,
      confirm: 'Confirmer l’adresse e-mail',
      changedTitle: 'Adresse e-mail modifiée',
      confirmed: (email) => `Votre adresse e-mail est désormais ${email}. Utilisez-la pour vous connecter.`,
      verifyLead: (email) => `Confirmez que ${email} est bien votre adresse e-mail.`,
      verifiedTitle: 'Adresse e-mail vérifiée',
      verified: (email) => `${email} est vérifiée.`,
      toAccount: 'Accéder à votre compte',
      back: 'Retour au profil',
    },
    security: {
      noPassword:
        'Vous n’avez pas de mot de passe. Avec un mot de passe, vous pourrez vous connecter même si vous perdez l’accès à un compte associé.',
      setPassword: 'Définir un mot de passe',
      authenticatorOffAlone:
        'Protégez votre compte à chaque connexion avec un code généré par une application sur votre téléphone.',
      proof: 'Code de votre application d’authentification ou code de récupération',
      proofByRecoveryCode: 'Code de récupération',
      passwordTitle: 'Mot de passe',
      changePassword: 'Changer le mot de passe',
      breached:
        'Votre mot de passe figure dans une fuite de données d’un autre service : d’autres personnes le connaissent peut-être. Changez-le rapidement, ici et partout où vous l’utilisez.',
      authenticatorTitle: 'Application d’authentification',
      authenticatorOff:
        'En plus de votre mot de passe, protégez votre compte avec un code généré par une application sur votre téléphone.',
      on: 'Activée',
      authenticatorOn: 'Un code de l’application vous est demandé lorsque vous vous connectez.',
      setUp: 'Configurer une application',
      remove: 'Supprimer',
      removeNamed: (name) => `Supprimer la clé d’accès « ${name} »`,
      removeApp: 'Supprimer l’application d’authentification',
      codesTitle: 'Codes de récupération',
      noCodesLeft: 'Il ne vous reste aucun code de récupération. Créez-en de nouveaux.',
      codesLeft: (count) =>
        plural(count, {
          one: `Il vous reste ${number(count)} code de récupération. Il vous permet de vous connecter une fois sans votre appareil.`,
          many: `Il vous reste ${number(count)} de codes de récupération. ${eachCode}`,
          other: `Il vous reste ${number(count)} codes de récupération. ${eachCode}`,
        }),
      newCodes: 'Créer de nouveaux codes',
      passkeysTitle: 'Clés d’accès',
      passkeysLead:
        'Connectez-vous sans mot de passe, avec votre empreinte digitale, votre visage ou le verrouillage de l’écran.',
      passkeyName: 'Nom de la clé d’accès',
      passkeyNameHint: 'Par exemple « Mon téléphone ».',
      addPasskey: 'Ajouter une clé d’accès',
      needsScript: 'Les clés d’accès nécessitent JavaScript et un navigateur compatible.',
      added: 'Date d’ajout',
      lastUsed: 'Dernière utilisation',
      never: 'Jamais',
      passkeyFailed: 'Impossible d’ajouter la clé d’accès. Réessayez.',
      tooManyPasskeys: 'Vous avez atteint la limite de 20 clés d’accès. Supprimez-en une pour en ajouter une autre.',
      lastWay:
        'C’est votre seul moyen de vous connecter. Définissez un mot de passe ou ajoutez une autre clé d’accès avant de la supprimer.',
      confirmedForPasskey: 'Identité confirmée. Vous pouvez maintenant ajouter la clé d’accès.',
    },
    identities: {
      title: 'Comptes associés',
      lead: 'Comptes d’autres services avec lesquels vous pouvez vous connecter.',
      linked: 'Associé',
      noEmail: 'Adresse e-mail non communiquée',
      disabled: 'Indisponible',
      link: (label) => `Associer ${label}`,
      tooMany: 'Vous avez atteint la limite de 10 comptes associés. Dissociez-en un pour en associer un autre.',
      unlink: 'Dissocier',
      unlinkNamed: (label) => `Dissocier ${label}`,
      lastWay:
        'C’est votre seul moyen de vous connecter. Définissez un mot de passe ou ajoutez une clé d’accès avant de dissocier ce compte.',
    },
    authenticator: {
      title: 'Configurer une application d’authentification',
      scan: 'Scannez ce code QR avec votre application d’authentification.',
      alt: 'Code QR contenant la clé de configuration de votre application d’authentification',
      orType: 'Ou saisissez cette clé de configuration dans l’application :',
      open: 'Ouvrir dans l’application d’authentification',
      copy: 'Copier la clé',
      code: 'Code à 6 chiffres de l’application',
      submit: 'Activer',
      wrongCode:
        'Ce code est incorrect. Les codes changent toutes les 30 secondes : vérifiez que votre téléphone est à l’heure.',
      already: 'Vous avez déjà configuré une application d’authentification. Supprimez-la d’abord.',
      back: 'Retour à la sécurité',
    },
    codes: {
      title: 'Enregistrez vos codes de récupération',
      lead: `${eachCode} Enregistrez vos codes maintenant : ils ne seront plus affichés.`,
      done: 'J’ai enregistré mes codes',
      copy: 'Copier les codes',
      copied: 'Copié',
      download: 'Télécharger les codes',
      print: 'Imprimer les codes',
      file: (service, email) => `Codes de récupération de ${email} pour ${service}`,
    },
    sessions: {
      lead: 'Les appareils sur lesquels votre compte est connecté.',
      current: 'Cet appareil',
      since: 'Date de connexion',
      lastSeen: 'Dernière activité',
      from: 'Adresse IP',
      end: 'Déconnecter',
      endNamed: (device) => `Déconnecter ${device}`,
      endOthers: 'Déconnecter les autres appareils',
      onlyThis: 'Votre compte n’est connecté sur aucun autre appareil.',
      trusted: 'Appareils de confiance',
      trustedLead: 'Sur ces appareils, aucun code ne vous est demandé après votre mot de passe.',
      trustedUntil: 'Jusqu’au',
      lastSignIn: 'Dernière utilisation',
      untrust: 'Retirer de la liste',
      untrustNamed: (device) => `Retirer de la liste : ${device}`,
    },
    activity: {
      lead: 'Activité récente de votre compte. Si vous ne reconnaissez pas une action, changez votre mot de passe.',
      none: 'Aucune activité pour le moment.',
      byAdministrator: 'Par un administrateur',
      older: 'Activité plus ancienne',
      someApp: 'une application',
    },
    data: {
      downloadTitle: 'Télécharger vos données',
      downloadLead: 'Tout ce que nous conservons à votre sujet, dans un fichier JSON.',
      download: 'Télécharger les données',
      deleteTitle: 'Supprimer votre compte',
      deleteLead: 'Les applications perdent immédiatement leur accès. Cette action est irréversible.',
      deleteQuestion: (email) => `Supprimer le compte ${email} ?`,
      deleteText:
        'Votre profil, vos méthodes de connexion et vos applications connectées seront définitivement supprimés, et toutes vos sessions seront fermées.',
      delete: 'Supprimer le compte',
      lastAdministrator:
        'Vous êtes la dernière personne à administrer ce service. Donnez d’abord ce rôle à quelqu’un d’autre.',
      deletedTitle: 'Compte supprimé',
      deleted:
        'Nous ne gardons qu’une trace de l’existence du compte. Les applications ont pu conserver ce que vous avez partagé avec elles.',
    },
    ownEvents: {
      signed_in: 'Connexion',
      sign_in_failed: 'Échec de connexion',
      second_step_asked: 'Mot de passe correct, en attente de la validation en deux étapes',
      session_raised: 'Identité confirmée par la validation en deux étapes',
      signed_out: 'Déconnexion',
      approved: (app) => `Accès accordé à ${app}`,
      let_in: (app) => `Connexion à ${app}`,
      approvals_throttled: (app) => `Connexions trop fréquentes à ${app}, brièvement suspendues`,
      authorization_denied: (app) => `Accès refusé à ${app}`,
      app_removed: (app) => `Accès retiré à ${app}`,
      signed_up: 'Compte créé',
      user_created: 'Compte créé par un administrateur',
      user_password_set: 'Mot de passe modifié par un administrateur',
      user_disabled: 'Compte désactivé par un administrateur',
      user_expired: 'L’accès au compte est arrivé à son terme',
      user_enabled: 'Compte réactivé par un administrateur',
      user_approved: 'Compte approuvé par un administrateur',
      user_made_administrator: 'Accès administrateur accordé',
      user_administrator_removed: 'Accès administrateur retiré',
      user_roles_changed: 'Rôles modifiés par un administrateur',
      user_reset_sent: 'Lien de réinitialisation du mot de passe envoyé par un administrateur',
      user_recovery_link_made: 'Lien de récupération créé par un administrateur',
      first_administrator_created: 'Premier compte administrateur créé',
      email_code_requested: 'Code de connexion demandé',
      email_verified_by_code: 'Adresse e-mail vérifiée avec un code',
      account_claimed: 'Compte réinitialisé pour son titulaire',
      password_reset_requested: 'Réinitialisation du mot de passe demandée',
      password_reset: 'Mot de passe réinitialisé par e-mail',
      password_changed: 'Mot de passe modifié',
      password_removed: 'Mot de passe supprimé',
      password_found_in_breach: 'Mot de passe trouvé dans une fuite de données',
      profile_changed: 'Profil mis à jour',
      picture_changed: 'Photo mise à jour',
      email_change_requested: 'Changement d’adresse e-mail demandé',
      email_changed: 'Adresse e-mail modifiée',
      sessions_ended: 'Autres appareils déconnectés',
      device_trusted: 'Appareil ajouté aux appareils de confiance',
      device_trust_ended: 'Appareil retiré des appareils de confiance',
      authenticator_added: 'Application d’authentification ajoutée',
      authenticator_removed: 'Application d’authentification supprimée',
      recovery_codes_replaced: 'Codes de récupération créés',
      recovery_codes_removed: 'Codes de récupération supprimés',
      recovery_code_used: 'Code de récupération utilisé',
      passkey_added: (name) => `Clé d’accès « ${name} » ajoutée`,
      passkey_removed: 'Clé d’accès supprimée',
      second_factors_removed: 'Validation en deux étapes supprimée par un administrateur',
      identity_linked: (name) => `Connexion avec ${name} associée`,
      identity_unlinked: (name) => `Connexion avec ${name} dissociée`,
      factor_undone: 'Nouvelle méthode de connexion annulée, tous les appareils déconnectés',
      factor_kept: 'Méthode de connexion suspendue conservée',
      account_reviewed: 'Accès au compte vérifiés',
      data_downloaded: 'Données téléchargées',
      user_edited: 'Profil modifié par un administrateur',
      user_email_verified: 'Adresse e-mail vérifiée par un administrateur',
      grant_ended_by_replay: (app) => `Accès retiré à ${app} : un code a été utilisé deux fois`,
    },
    methods: {
      password: 'Mot de passe',
      password_and_code: 'Mot de passe et code',
      password_and_recovery_code: 'Mot de passe et code de récupération',
      password_and_passkey: 'Mot de passe et clé d’accès',
      passkey: 'Clé d’accès',
      password_on_trusted_device: 'Mot de passe sur un appareil de confiance',
      sign_up: 'Première connexion',
      upstream: 'Fournisseur d’identité',
      upstream_on_trusted_device: 'Fournisseur d’identité sur un appareil de confiance',
      upstream_two_factors: 'Fournisseur d’identité avec validation en deux étapes',
      upstream_and_code: 'Fournisseur d’identité et code',
      upstream_and_recovery_code: 'Fournisseur d’identité et code de récupération',
      upstream_and_passkey: 'Fournisseur d’identité et clé d’accès',
      email_code: 'Code par e-mail',
      email_code_and_code: 'Codes par e-mail et d’une application',
      email_code_and_recovery_code: 'Code par e-mail et code de récupération',
      email_code_and_passkey: 'Code par e-mail et clé d’accès',
    },
    reasons: {
      wrong_password: 'Mot de passe incorrect',
      wrong_second_step: 'Code incorrect après le bon mot de passe',
      wrong_password_in_account: 'Mot de passe incorrect lors de la confirmation d’identité',
      wrong_passkey: 'Clé d’accès refusée',
      wrong_email_code: 'Code reçu par e-mail incorrect',
      unverified_email: 'Adresse e-mail non vérifiée',
      throttled: 'Trop de tentatives',
      disabled: 'Compte désactivé',
      expired: 'Accès arrivé à son terme',
      waiting_for_approval: 'Compte en attente d’approbation',
      password_over: 'Mot de passe correct, mais les mots de passe ne fonctionnent plus',
      changed_meanwhile: 'Compte modifié au même moment',
      upstream_identity_taken: 'Associé à un autre compte',
      upstream_other_person: 'Ce n’est pas le compte associé',
      upstream_not_fresh: 'Le fournisseur d’identité n’a pas redemandé la connexion',
    },
  },

  device: {
    on: (browser, system) => `${browser} sur ${system}`,
    unknownOn: (system) => `Navigateur inconnu sur ${system}`,
    unknown: 'Navigateur inconnu',
  },

  emails: {
    greeting: 'Bonjour,',
    ignore: 'Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer.',
    notYou: 'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe :',
    notYouEither:
      'Si ce n’était pas vous, supprimez tout ce que vous ne reconnaissez pas et changez votre mot de passe :',
    lookAtSecurity: 'Vérifier vos paramètres de sécurité',
    finishSignUp: {
      subject: 'Terminez la création de votre compte',
      text: 'Ouvrez ce lien pour configurer votre compte. Le lien est à usage unique et expire au bout de 24 heures.',
      action: 'Créer le compte',
    },
    addressHasAccount: {
      subject: 'Vous avez déjà un compte',
      text: 'Quelqu’un, probablement vous, a voulu créer un compte avec cette adresse e-mail, mais il en existe déjà un. Vous pouvez vous connecter ou, depuis la même page, réinitialiser votre mot de passe.',
      action: 'Se connecter',
    },
    resetPassword: {
      subject: 'Réinitialisez votre mot de passe',
      text: 'Ouvrez ce lien pour choisir un nouveau mot de passe. Le lien est à usage unique et expire au bout de 30 minutes.',
      action: 'Réinitialiser le mot de passe',
    },
    invitation: {
      subject: 'Vous avez reçu une invitation',
      text: (service) =>
        `Vous avez reçu une invitation à créer un compte sur ${service}. Ouvrez ce lien pour configurer votre compte. Le lien est à usage unique et expire au bout de 7 jours.`,
      textFrom: (inviter, service) =>
        `${inviter} vous invite à créer un compte sur ${service}. Ouvrez ce lien pour configurer votre compte. Le lien est à usage unique et expire au bout de 7 jours.`,
      action: 'Accepter l’invitation',
    },
    noAccount: {
      subject: 'Aucun compte avec cette adresse e-mail',
      text: 'Quelqu’un, probablement vous, a voulu réinitialiser un mot de passe avec cette adresse e-mail, mais elle n’est associée à aucun compte. Vous avez peut-être créé le vôtre avec une autre adresse.',
      action: 'Essayer une autre adresse e-mail',
    },
    confirmAddress: {
      subject: 'Confirmez votre adresse e-mail',
      text: 'Pour utiliser cette adresse e-mail avec votre compte, ouvrez ce lien et connectez-vous. Le lien est à usage unique et expire au bout de 24 heures.',
      action: 'Confirmer l’adresse e-mail',
    },
    accountClaimed: {
      subject: 'Votre compte a été réinitialisé',
      text: 'Vous avez montré que cette adresse e-mail est la vôtre. Personne ne l’avait fait avant : quelqu’un d’autre a peut-être configuré le compte. Tout ce qu’il contenait a été supprimé : le mot de passe, les autres moyens de connexion, les appareils et l’accès des applications.',
    },
    passwordChanged: {
      subject: 'Votre mot de passe a été modifié',
      text: 'Le mot de passe de votre compte a été modifié et vos autres appareils ont été déconnectés.',
      action: 'Réinitialiser le mot de passe',
    },
    setUpFactor: {
      subject: 'Configurez la validation en deux étapes',
      text: 'Vous vous êtes connecté avec votre mot de passe. Votre second facteur n’a pas pu être transféré vers ce service : configurez à nouveau la validation en deux étapes pour continuer. Le lien est valable 30 minutes.',
      action: 'Configurer la validation',
      notYou:
        'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe. N’ouvrez pas le lien et réinitialisez votre mot de passe sur la page de connexion.',
    },
    passwordBreached: {
      subject: 'Changez rapidement votre mot de passe',
      text: 'Le mot de passe de votre compte figure dans une liste de mots de passe issus de fuites de données d’autres services. Cela ne signifie pas que quelqu’un s’est connecté à votre compte, mais des pirates essaient les mots de passe de ces listes. Choisissez-en un nouveau, que vous n’utilisez nulle part ailleurs :',
      action: 'Changer le mot de passe',
      after: 'Si vous utilisez le même mot de passe ailleurs, changez-le là aussi.',
    },
    addressChangeAsked: {
      subject: 'Changement d’adresse e-mail demandé',
      text: (email) =>
        `Quelqu’un a demandé à remplacer l’adresse e-mail de votre compte par ${email}. Le changement prendra effet dès l’ouverture du lien que nous avons envoyé à cette adresse.`,
      action: 'Réinitialiser le mot de passe',
    },
    addressChanged: {
      subject: 'Votre adresse e-mail a été modifiée',
      text: (email) =>
        `L’adresse e-mail de votre compte est désormais ${email}. Si vous n’êtes pas à l’origine de ce changement, contactez votre administrateur.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Une application d’authentification a été ajoutée à votre compte.',
        passkey_added: 'Une clé d’accès a été ajoutée à votre compte.',
        recovery_codes_replaced:
          'De nouveaux codes de récupération ont été créés pour votre compte. Les anciens ne fonctionnent plus.',
      },
      undo: 'Si ce n’était pas vous, ouvrez ce lien pour annuler la modification et déconnecter tous vos appareils. Le lien est à usage unique et expire au bout de 7 jours.',
      action: 'Ce n’était pas moi',
      ignore: 'Si c’était bien vous, vous n’avez rien à faire.',
    },
    secondFactorChanged: {
      subject: 'Vos paramètres de sécurité ont été modifiés',
      authenticator_removed: 'L’application d’authentification a été supprimée de votre compte.',
      passkey_removed: 'Une clé d’accès a été supprimée de votre compte.',
      all_factors_removed:
        'Toutes les méthodes de connexion, sauf votre mot de passe, ont été supprimées de votre compte. La validation en deux étapes est désactivée.',
      second_factors_removed:
        'Un administrateur a supprimé l’application d’authentification et les clés d’accès de votre compte.',
    },
    identityLinked: (label) => `Vous pouvez maintenant vous connecter à votre compte avec ${label}.`,
    wrongCodes: {
      subject: 'Quelqu’un connaît peut-être votre mot de passe',
      text: (device, at, ipAddress) =>
        `Quelqu’un a saisi votre mot de passe, puis plusieurs codes de validation incorrects. Dernière tentative : ${device}, ${on(at)}, adresse IP ${ipAddress}. Cette personne n’a pas réussi à se connecter.`,
      action: 'Réinitialiser le mot de passe',
    },
    recoveryCodeUsed: {
      subject: 'Un code de récupération a été utilisé',
      text: (device, at, ipAddress) =>
        `Un de vos codes de récupération a été utilisé pour votre compte : ${device}, ${on(at)}, adresse IP ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Nouvelle connexion à votre compte',
      text: (device, at, ipAddress) =>
        `Une connexion à votre compte a eu lieu depuis un navigateur que nous ne connaissions pas : ${device}, ${on(at)}, adresse IP ${ipAddress}.`,
      action: 'Réinitialiser le mot de passe',
    },
    apiKeyCreated: {
      subject: 'Nouvelle clé API',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Une clé API nommée « ${name} » a été créée en ligne de commande.`
          : `Une clé API nommée « ${name} » a été créée avec votre compte.`,
      permissions: {
        read: 'Elle permet de lire tout ce que voient les administrateurs.',
        write:
          'Elle permet de gérer les personnes sans rôle, les groupes non protégés, les applications et les webhooks.',
        administrator: 'Elle permet de faire tout ce que peuvent faire les administrateurs.',
        people: 'Elle permet de gérer les personnes sans rôle et les groupes non protégés.',
        applications: 'Elle permet de gérer les applications.',
        auditor: 'Elle permet de lire tout ce que voient les administrateurs, sans rien modifier.',
      },
      expires: (day) => `Elle expire ${on(day)}.`,
      neverExpires: 'Elle n’expire jamais.',
      notYou: 'Si vous ne la reconnaissez pas, révoquez-la et changez votre mot de passe :',
      action: 'Gérer les clés API',
    },
    adminAccessChanged: {
      given: {
        subject: 'Vous disposez désormais d’un accès administrateur',
        text: 'Vous pouvez maintenant gérer les utilisateurs et les applications de ce service.',
        action: 'Ouvrir la console',
      },
      removed: {
        subject: 'Votre accès administrateur a été retiré',
        text: 'Vous ne pouvez plus gérer les utilisateurs et les applications de ce service.',
        action: 'Accéder à votre compte',
      },
      changed: {
        subject: 'Vos rôles d’administration ont changé',
        text: (roles: string) => `Vos rôles sur ce service sont désormais : ${roles}.`,
        action: 'Ouvrir la console',
      },
      roles: {
        administrator: 'Administrateur',
        people: 'Utilisateurs',
        applications: 'Applications',
        auditor: 'Auditeur',
      },
      notExpected: 'Si vous ne vous y attendiez pas, contactez un administrateur.',
    },
    recoveryLinkMade: {
      subject: 'Lien de récupération pour votre compte',
      text: 'Un administrateur a créé un lien qui permet de définir un nouveau mot de passe pour votre compte. Ce lien est à usage unique, expire au bout de 24 heures et déconnecte tous vos appareils. Si vous n’avez pas demandé d’aide, prévenez votre administrateur et vérifiez l’activité de votre compte :',
      action: 'Voir votre activité',
    },
    accountCreated: {
      subject: 'Votre nouveau compte',
      text: (service) =>
        `Un compte a été créé pour vous sur ${service}. Ouvrez ce lien pour configurer votre compte. Le lien est à usage unique et expire au bout de 7 jours.`,
      textFrom: (inviter, service) =>
        `${inviter} a créé un compte pour vous sur ${service}. Ouvrez ce lien pour configurer votre compte. Le lien est à usage unique et expire au bout de 7 jours.`,
      action: 'Configurer le compte',
    },
    profileEdited: {
      subject: 'Votre profil a été modifié',
      text: (name) =>
        `Un administrateur a modifié votre profil. Votre nom est désormais ${name}. Si vous ne vous y attendiez pas, contactez votre administrateur.`,
    },
    emailEdited: {
      subject: 'Votre adresse e-mail a été modifiée',
      text: (email) =>
        `Un administrateur a remplacé l’adresse e-mail de votre compte par ${email}. Si vous ne vous y attendiez pas, contactez votre administrateur.`,
    },
    accountDeleted: {
      subject: 'Votre compte a été supprimé',
      text: 'Votre compte a été supprimé, comme vous l’avez demandé. Les applications n’y ont plus accès.',
    },
  },

  approval: {
    title: 'En attente d’approbation',
    text: 'Votre compte est en attente d’approbation.',
    told: 'Nous vous enverrons un e-mail dès que vous pourrez vous connecter.',
    needed: 'Un administrateur devra ensuite approuver votre compte.',
    fullTitle: 'Impossible de créer votre compte',
    full: 'Il n’est pas possible de créer de nouveaux comptes pour le moment. Réessayez plus tard.',
    emails: {
      approved: {
        subject: 'Votre compte a été approuvé',
        text: (service) => `Votre compte sur ${service} a été approuvé. Vous pouvez maintenant vous connecter.`,
        action: 'Se connecter',
      },
      declined: {
        subject: 'Votre compte n’a pas été approuvé',
        text: (service) =>
          `Votre demande de compte sur ${service} a été refusée, et les informations que vous aviez saisies ont été supprimées. Message de l’administrateur :`,
      },
      waiting: {
        subject: 'Des personnes attendent une approbation',
        text: (count) =>
          plural(count, {
            one: `${number(count)} personne attend qu’un administrateur approuve son compte.`,
            many: `${number(count)} de personnes attendent qu’un administrateur approuve leur compte.`,
            other: `${number(count)} personnes attendent qu’un administrateur approuve leur compte.`,
          }),
        action: 'Examiner les demandes',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Il vous faut un lien d’inscription pour créer un compte. Demandez-en un à votre administrateur.',
    otherDomain:
      'Vous ne pouvez pas créer de compte avec cette adresse e-mail. Utilisez-en une autre ou contactez votre administrateur.',
    ended: {
      used_up: 'Ce lien d’inscription est épuisé',
      expired: 'Ce lien d’inscription a expiré',
      revoked: 'Ce lien d’inscription a été révoqué',
    },
    endedText: 'Il ne permet plus de créer de compte.',
  },

  recovery: {
    paused: {
      title: 'Méthodes de connexion suspendues',
      lead: 'Elles ont été ajoutées dans les 7 jours précédant la réinitialisation de votre mot de passe. Elles ne peuvent pas servir à vous connecter tant que vous n’avez pas choisi de les conserver.',
      names: {
        authenticator: 'Application d’authentification',
        passkey: (name) => `Clé d’accès « ${name} »`,
        recovery_codes: 'Codes de récupération',
      },
      added: 'Date d’ajout',
      keep: 'Conserver',
      keepNamed: (method) => `Conserver : ${method}`,
      remove: 'Supprimer',
      removeNamed: (method) => `Supprimer : ${method}`,
    },
    review: {
      title: 'Vérifiez votre compte',
      lead: (day) =>
        `Votre mot de passe a été réinitialisé (${day}) et tous vos appareils ont été déconnectés. Vérifiez ce qui a encore accès à votre compte.`,
      methodsTitle: 'Méthodes de connexion actives',
      noMethods: 'Votre mot de passe uniquement.',
      authenticator: 'Application d’authentification',
      recoveryCodes: (count) =>
        plural(count, {
          one: `${number(count)} code de récupération`,
          many: `${number(count)} de codes de récupération`,
          other: `${number(count)} codes de récupération`,
        }),
      devicesTitle: 'Appareils',
      appsTitle: 'Applications connectées',
      noApps: 'Aucune application connectée.',
      keysTitle: 'Clés API que vous avez créées',
      removeTitle: 'Vous ne reconnaissez pas certains éléments ?',
      removeLead:
        'Supprimez toutes les méthodes de connexion (sauf votre mot de passe), toutes les applications connectées et toutes les clés API que vous avez créées, et déconnectez tous les autres appareils.',
      removesMethods:
        'Vous vous connecterez avec votre seul mot de passe jusqu’à ce que vous configuriez à nouveau la validation en deux étapes.',
      remove: 'Supprimer tous les autres accès',
      doneTitle: 'Tout est en ordre ?',
      done: 'Terminer la vérification',
    },
    undo: {
      title: 'Ce n’était pas vous ?',
      lead: 'Annulez cette modification et déconnectez tous vos appareils. Réinitialisez ensuite votre mot de passe, car quelqu’un d’autre le connaît peut-être.',
      submit: 'Annuler la modification et tout déconnecter',
      doneTitle: 'Modification annulée',
      done: 'Tous vos appareils ont été déconnectés. La personne à l’origine de cette modification connaît peut-être encore votre mot de passe : réinitialisez-le maintenant.',
      reset: 'Réinitialiser le mot de passe',
    },
  },

  secondFactor: {
    setUpTitle: 'Configurer la validation en deux étapes',
    setUpLead: 'Pour vous connecter ici, vous avez besoin de la validation en deux étapes.',
    setUpLeadFor: (app) => `Pour continuer vers ${app}, vous avez besoin de la validation en deux étapes.`,
    withApp: 'Utiliser plutôt une application d’authentification',
    code: 'Code à 6 chiffres de l’application',
    password: 'Mot de passe actuel',
    passwordHint: 'Pour confirmer votre identité.',
    submit: 'Activer et continuer',
    wrongCode:
      'Ce code est incorrect. Les codes changent toutes les 30 secondes : vérifiez que votre téléphone est à l’heure.',
    verifyTitle: 'Validation en deux étapes',
    verifyLead: 'Saisissez le code de votre application d’authentification ou un code de récupération.',
    verifyLeadPasskeyOnly: 'Utilisez votre clé d’accès ou saisissez un code de récupération.',
    signingInAs: (email) => `Connexion avec le compte ${email}.`,
    signedInAs: (email) => `Vous utilisez le compte ${email}.`,
    signOut: 'Se déconnecter',
    codesTitle: 'Enregistrez vos codes de récupération',
    codesLead: `${eachCode} Enregistrez vos codes maintenant : ils ne seront plus affichés.`,
    codesDone: 'J’ai enregistré mes codes',
    usedTitle: 'Vous avez utilisé un code de récupération',
    usedLeft: (count) =>
      plural(count, {
        one: `Il vous en reste ${number(count)}.`,
        many: `Il vous en reste ${number(count)}.`,
        other: `Il vous en reste ${number(count)}.`,
      }),
    lost: 'Téléphone perdu ?',
    remove: 'Supprimez-le',
    continue: 'Continuer',
  },

  passwordless: {
    create: 'Créer une clé d’accès',
    lead: 'Connectez-vous avec votre empreinte digitale, votre visage ou le verrouillage de l’écran. Vous n’avez rien à retenir.',
    withPassword: 'Utiliser plutôt un mot de passe',
    failed: 'Impossible de créer la clé d’accès. Réessayez.',
    eitherTitle: 'Créez une clé d’accès ou choisissez un mot de passe',
    notByEmail:
      'Vous utilisez la validation en deux étapes : un lien reçu par e-mail ne suffit donc pas pour créer une clé d’accès. Connectez-vous avec votre clé d’accès ou contactez votre administrateur.',
    createdTitle: 'Clé d’accès créée',
    created:
      'Connectez-vous avec votre clé d’accès. Les méthodes de connexion ajoutées au cours des 7 derniers jours sont suspendues jusqu’à ce que vous les ayez vérifiées.',
    over: 'Les mots de passe ne fonctionnent plus ici. Connectez-vous autrement, ou créez une clé d’accès avec un lien reçu par e-mail.',
    byEmail: 'Créer une clé d’accès par e-mail',
    byEmailLead:
      'Nous vous enverrons par e-mail un lien pour créer une clé d’accès. Il est à usage unique et expire au bout de 30 minutes.',
    ask: 'Ici, les clés d’accès remplacent les mots de passe. Avec une clé d’accès, vous vous connectez avec votre empreinte digitale, votre visage ou le verrouillage de l’écran.',
    askUntil: (day) => `Votre mot de passe fonctionne jusqu’à cette date : ${day}.`,
    notNow: 'Pas maintenant',
    remove: 'Supprimer le mot de passe',
    removeLead:
      'Connectez-vous uniquement avec votre clé d’accès. Vous pourrez définir de nouveau un mot de passe à tout moment.',
    removeFor: 'Les mots de passe ne sont plus utilisés ici. Vous vous connecterez avec votre clé d’accès.',
    removeNeeds:
      'Pour supprimer votre mot de passe, ajoutez d’abord une clé d’accès, puis enregistrez vos codes de récupération ou ajoutez une deuxième clé d’accès.',
    none: 'Vous n’avez pas de mot de passe. Vous vous connectez avec une clé d’accès.',
    notUsed: 'Les mots de passe ne sont pas utilisés ici.',
    reviewLead: (day) =>
      `Vous avez créé une clé d’accès pour retrouver l’accès à votre compte (${day}) et tous vos appareils ont été déconnectés. Vérifiez ce qui a encore accès à votre compte.`,
    linkEmail: {
      subject: 'Créez une clé d’accès',
      text: 'Ouvrez ce lien pour créer une clé d’accès pour votre compte. Le lien est à usage unique et expire au bout de 30 minutes.',
      action: 'Créer la clé d’accès',
    },
    removedEmail: {
      subject: 'Votre mot de passe a été supprimé',
      text: 'Le mot de passe de votre compte a été supprimé. Vous vous connectez désormais avec une clé d’accès, et vos autres appareils ont été déconnectés.',
    },
    reviewRemoveLead:
      'Supprimez toutes les méthodes de connexion (sauf votre nouvelle clé d’accès), toutes les applications connectées et toutes les clés API que vous avez créées, et déconnectez tous les autres appareils.',
  },

  signOut: {
    title: (service) => `Se déconnecter du service ${service} ?`,
    askedBy: (app) => `${app} demande votre déconnexion.`,
    text: 'Votre session sera fermée dans ce navigateur. Elle peut rester active dans les applications déjà ouvertes.',
    confirm: 'Se déconnecter',
    stay: 'Ne pas se déconnecter',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing:
        'Nous ne savons pas quelle application a ouvert cette page. Nous n’avons donc pas pu vous y ramener.',
      unknown_client:
        'L’application qui a ouvert cette page n’est pas enregistrée auprès de ce service. Le retour vers l’application a donc été bloqué.',
      client_revoked:
        'Un administrateur a désactivé la connexion à cette application. Le retour vers l’application a donc été bloqué.',
      post_logout_redirect_uri_mismatch:
        'L’application nous a demandé de vous rediriger vers une URL qui n’est pas enregistrée pour elle. Par sécurité, nous ne l’avons pas fait.',
    },
    noReturnTodo:
      'Pour y revenir, ouvrez vous-même l’application. Si le problème persiste, contactez le développeur de l’application et indiquez-lui la référence ci-dessous.',
  },

  upstreams: {
    continueWith: (label) => `Continuer avec ${label}`,
    leavingTitle: (label) => `Continuer vers ${label}`,
    leavingText: (label) => `Vous allez être redirigé vers ${label}.`,
    failedTitle: (label) => `Connexion avec ${label} impossible`,
    problems: {
      expired: () => 'Cette connexion a expiré ou a été commencée dans un autre navigateur. Recommencez.',
      canceled: (label) => `La connexion avec ${label} a été annulée.`,
      unavailable: (label) =>
        `Il n’est pas possible de se connecter avec ${label} pour le moment. Connectez-vous autrement.`,
      unreachable: (label) => `${label} n’a pas répondu. Réessayez dans quelques minutes ou connectez-vous autrement.`,
      invalid: (label) =>
        `La réponse de ${label} ne peut pas être acceptée. Réessayez. Si le problème persiste, contactez votre administrateur.`,
      notFresh: (label) =>
        `${label} ne vous a pas redemandé de vous connecter, ce qui ne confirme pas votre identité. Réessayez.`,
      identityTaken: (label) => `Ce compte ${label} est associé ici à un autre compte.`,
      otherPerson: (label) => `Ce compte ${label} n’est pas celui qui est associé à votre compte.`,
      refused: (label) => `Vous ne pouvez pas vous connecter ici avec ce compte ${label}.`,
    },
    linkTitle: 'Vous avez déjà un compte',
    linkText: (email, label) =>
      `Il existe déjà un compte pour ${email}. Connectez-vous-y d’abord autrement, puis associez ${label} sur sa page de sécurité.`,
    noAccountTitle: 'Aucun compte trouvé',
    noAccountText: (label) =>
      `Ce compte ${label} n’est associé à aucun compte ici. Connectez-vous autrement, puis associez-le sur la page de sécurité de votre compte.`,
    otherWay: 'Se connecter autrement',
    tryAgain: (label) => `Réessayer avec ${label}`,
  },

  chooseAccount: {
    title: 'Choisissez un compte',
    continueTo: (app) => `pour continuer vers ${app}`,
    continue: 'Continuer avec ce compte',
    other: 'Utiliser un autre compte',
  },

  noAccess: {
    title: (app) => `Vous n’avez pas accès à ${app}`,
    signedInAs: 'Compte utilisé',
    text: 'Ce compte ne figure pas parmi ceux qui y ont accès. Demandez l’accès à votre administrateur ou utilisez un autre compte.',
    other: 'Utiliser un autre compte',
    back: (app) => `Retour à ${app}`,
  },

  consent: {
    title: (app) => `Se connecter à ${app}`,
    lead: (app) => `${app} recevra :`,
    changed: (app) => `Les informations demandées par ${app} ont changé. Vérifiez-les avant de continuer.`,
    signedInAs: 'Compte utilisé',
    notYou: 'Ce n’est pas vous ?',
    returnTo: (host) => `Vous continuerez ensuite sur ${host}.`,
    approve: 'Autoriser',
    cancel: 'Annuler',
    later: 'Vous pouvez retirer cet accès à tout moment dans « Applications connectées ».',
    noPassword: (app) => `${app} ne voit jamais votre mot de passe.`,
  },

  scopes: {
    openid: { heading: 'Votre identité', phrase: 'votre identité' },
    profile: { heading: 'Votre profil', phrase: 'votre profil' },
    email: { heading: 'Votre adresse e-mail', phrase: 'votre adresse e-mail' },
  },
  identityHint: 'Un identifiant unique qui permet à l’application de vous reconnaître à votre retour',
  accountId: 'Identifiant du compte',
  profileChanged: 'Dernière mise à jour',
  emailUnverified: 'non vérifiée',
  claims: {
    name: 'Nom complet',
    given_name: 'Prénom',
    family_name: 'Nom de famille',
    preferred_username: 'Nom d’utilisateur',
    picture: 'Photo',
    locale: 'Langue',
  },
  furtherClaims: {
    enteredByYou: 'saisi par vous',
    notSet: 'Non renseigné',
    none: 'Aucun',
    yes: 'Oui',
    no: 'Non',
    more: (count) =>
      plural(count, { one: 'et 1 autre', many: `et ${number(count)} autres`, other: `et ${number(count)} autres` }),
    less: 'Afficher moins',
  },

  apps: {
    lead: 'Vous pouvez vous connecter à ces applications avec ce compte.',
    none: 'Aucune application connectée.',
    noneHint: (service) => `Les applications auxquelles vous vous connectez avec ${service} s’affichent ici.`,
    sees: 'Peut voir',
    since: 'Accès accordé le',
    lastUsed: 'Dernière utilisation',
    remove: 'Retirer l’accès',
    removeNamed: (app) => `Retirer l’accès : ${app}`,
    removed: 'Accès retiré.',
    notConnected: 'Cette application n’était déjà plus connectée.',
    removeHint:
      'Une fois l’accès retiré, votre autorisation vous sera de nouveau demandée à la prochaine connexion à l’application.',
  },

  yourApps: {
    none: 'Aucune application pour l’instant',
    noneHint: 'Les applications que vous pouvez ouvrir d’ici s’affichent sur cette page.',
    more: 'Afficher plus',
    search: 'Rechercher une application',
    find: 'Rechercher',
    notFound: 'Aucune application ne correspond',
    all: 'Afficher toutes les applications',
    profileHint: 'Votre nom, votre photo et votre adresse e-mail',
    securityHint: 'Votre mot de passe, vos clés d’accès et la validation en deux étapes',
  },

  signedOut: {
    elsewhere:
      'Votre session est peut-être encore ouverte auprès du service utilisé pour vous connecter. Si vous partagez cet appareil, déconnectez-vous aussi de ce service.',
    title: 'Déconnexion effectuée',
    text: (service) =>
      `Votre session sur ${service} est fermée dans ce navigateur. Elle peut rester active dans les applications déjà ouvertes.`,
    again: 'Se reconnecter',
  },

  inactivity: {
    disabled: 'Compte désactivé faute d’utilisation',
    email: {
      subject: 'Votre compte sera bientôt désactivé',
      text: (at) =>
        `Vous n’avez pas utilisé votre compte depuis longtemps. Pour le conserver, connectez-vous ou utilisez une application avant cette date : ${at}. Sinon, il sera désactivé.`,
      action: 'Se connecter et garder mon compte',
    },
  },

  accessRequests: {
    text: 'Ce compte ne figure pas parmi ceux qui y ont accès. Vous pouvez demander l’accès ou utiliser un autre compte.',
    note: 'Motif (facultatif)',
    noteHint: (most) => `${most} caractères maximum. Les personnes qui examinent votre demande pourront le lire.`,
    noteProblem: (most) => `Utilisez au maximum ${most} caractères de texte brut.`,
    ask: 'Demander l’accès',
    asked: (day) => `Vous avez demandé l’accès le ${day}. Votre demande est toujours en attente.`,
    told: 'Nous vous enverrons un e-mail dès qu’une décision aura été prise.',
    declined: 'Votre demande a été refusée. Vous pourrez la renouveler après un jour.',
    tooMany: 'Vous avez envoyé trop de demandes aujourd’hui. Réessayez demain.',
    emails: {
      waiting: {
        subject: 'Demandes d’accès',
        text: 'Ces personnes demandent l’accès :',
        action: 'Examiner les demandes',
      },
      allowed: {
        subject: (app) => `Vous avez accès à ${app}`,
        text: (app) => `Votre demande a été acceptée. Vous pouvez maintenant utiliser ${app}.`,
        action: (app) => `Ouvrir ${app}`,
      },
      declined: {
        subject: 'Votre demande d’accès a été refusée',
        text: (app) => `Votre demande d’accès à ${app} a été refusée.`,
        reason: 'Motif indiqué :',
      },
    },
  },

  ends: {
    title: 'Fin de l’accès',
    own: (at) => `Fin de votre accès : ${at}.`,
    line: (what, at) => `${what} : ${at}`,
    email: {
      subject: 'Votre accès prend bientôt fin',
      text: 'Cet accès prend bientôt fin. Si vous en avez encore besoin, contactez votre administrateur.',
      account: 'Votre compte',
      membership: (name) => `Appartenance au groupe « ${name} »`,
      application: (name) => `Accès à « ${name} »`,
      action: 'Accéder à votre compte',
    },
    list: {
      subject: 'Des accès prennent bientôt fin',
      text: 'Ces accès prennent fin dans les 7 prochains jours. Pour les prolonger, définissez une nouvelle date.',
      account: (person) => `${person}, compte`,
      membership: (person, group) => `${person}, groupe « ${group} »`,
      application: (person, app) => `${person}, application « ${app} »`,
      groupApplication: (group, app) => `Groupe « ${group} », application « ${app} »`,
      more: (count) =>
        plural(count, {
          one: `Et ${number(count)} autre.`,
          many: `Et ${number(count)} d’autres.`,
          other: `Et ${number(count)} autres.`,
        }),
      action: 'Voir les accès qui prennent bientôt fin',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Revue à terminer bientôt : ${name}`,
      text: (name, at) =>
        `La revue des accès « ${name} » est à terminer avant cette date : ${at}. Décidez qui conserve l’accès à vos applications.`,
      left: (count) =>
        plural(count, {
          one: `Il reste ${number(count)} décision à prendre.`,
          many: `Il reste ${number(count)} de décisions à prendre.`,
          other: `Il reste ${number(count)} décisions à prendre.`,
        }),
      action: 'Ouvrir la revue',
    },
  },
  directories: {
    refused: {
      subject: 'Un annuaire a tenté de modifier un utilisateur ayant un rôle d’administration',
      text: 'Un annuaire a tenté de modifier des utilisateurs qui ont un rôle d’administration. Seuls les administrateurs peuvent les modifier : rien n’a été changé. Nombre de requêtes :',
      after:
        'Si une personne est partie, désactivez son compte. Si vous ne vous y attendiez pas, révoquez le jeton SCIM de l’annuaire.',
      action: 'Voir les événements',
    },
  },

  errors: {
    reference: 'Référence',
    home: 'Accéder à votre compte',
    unknownClient: {
      title: 'Ce lien de connexion n’est pas valide',
      text: 'L’application qui a ouvert cette page n’est pas enregistrée auprès de ce service. Aucune information n’a été partagée avec elle.',
      todo: 'Retournez dans l’application et réessayez. Si le problème persiste, contactez le développeur de l’application et indiquez-lui la référence ci-dessous.',
    },
    redirectUri: {
      title: 'Ce lien de connexion n’est pas valide',
      text: 'L’application nous a demandé de vous rediriger vers une URL qui n’est pas enregistrée pour elle. Par sécurité, nous ne l’avons pas fait. Aucune information n’a été partagée.',
      todo: 'Retournez dans l’application et réessayez. Si le problème persiste, contactez le développeur de l’application et indiquez-lui la référence ci-dessous. Elle permet à un administrateur de retrouver les deux URL.',
    },
    clientRevoked: {
      title: 'Cette application n’est plus disponible',
      text: 'Un administrateur a désactivé la connexion à cette application. Votre compte n’est pas concerné.',
      todo: 'Contactez le développeur de l’application ou votre administrateur.',
    },
    tooManyApprovals: {
      title: 'Trop de connexions',
      text: 'Il y a eu trop de connexions successives à des applications. Aucune information n’a été partagée.',
      todo: 'Attendez quelques secondes, puis retournez dans l’application et réessayez. Si le problème persiste, contactez le développeur de l’application.',
    },
    tooManyDownloads: {
      title: 'Trop de téléchargements',
      text: 'Un autre téléchargement de vos données est déjà en cours, ou trop de personnes téléchargent les leurs en ce moment.',
      todo: 'Patientez une minute, puis réessayez.',
    },
    formExpired: {
      title: 'Cette page a expiré',
      text: 'Vous l’avez ouverte dans un autre navigateur ou avant de vous connecter ou de vous déconnecter, ou bien votre navigateur bloque les cookies. Rien n’a été modifié.',
      todo: 'Revenez en arrière et recommencez. Si le problème persiste, autorisez les cookies pour ce site.',
    },
    foreignForm: {
      title: 'Cette demande provient d’un autre site',
      text: 'Un autre site a tenté d’envoyer ce formulaire à votre place. Rien n’a été modifié.',
      todo: (baseUrl) => `Si c’était vous, ouvrez ${baseUrl} et réessayez à partir de là.`,
    },
    notAdministrator: {
      title: 'Accès administrateur requis',
      text: 'Votre compte ne permet pas d’afficher cette page.',
      todo: 'Demandez l’accès à un administrateur ou connectez-vous avec un autre compte.',
    },
    otherAccount: {
      title: 'Ce lien est destiné à un autre compte',
      text: 'Le compte que vous utilisez n’est pas celui qui a demandé cette modification. Rien n’a été modifié.',
      todo: 'Déconnectez-vous, connectez-vous à l’autre compte et ouvrez de nouveau le lien.',
    },
    badRequest: {
      title: 'Nous n’avons pas pu lire cette demande',
      text: 'Le format de la demande est incorrect. Rien n’a été modifié.',
      todo: 'Revenez en arrière et réessayez.',
    },
    notFound: {
      title: 'Page introuvable',
      text: 'Le lien contient peut-être une erreur, ou la page n’existe plus.',
      todo: 'Vérifiez l’URL ou accédez à votre compte.',
    },
    methodNotAllowed: {
      title: 'Cette action n’est pas possible ici',
      text: 'Cette URL n’accepte pas ce type de demande.',
      todo: 'Revenez en arrière et réessayez.',
    },
    tooLarge: {
      title: 'Données trop volumineuses',
      text: 'La demande dépasse la taille acceptée par ce service. Rien n’a été modifié.',
      todo: 'Revenez en arrière et réessayez. Si une application a ouvert cette page, contactez son développeur.',
    },
    busy: {
      title: 'Service momentanément surchargé',
      text: 'Le service ne peut pas répondre pour le moment. Rien n’a été modifié.',
      todo: 'Attendez quelques secondes, puis actualisez cette page.',
    },
    outcomeUnknown: {
      title: 'Nous ne savons pas si l’opération a abouti',
      text: 'La connexion à notre base de données a été interrompue pendant l’enregistrement. Votre modification a peut-être été enregistrée.',
      todo: 'Attendez quelques secondes, puis vérifiez avant de réessayer.',
    },
    fault: {
      title: 'Une erreur s’est produite',
      text: 'Le problème est de notre côté. L’erreur a été enregistrée.',
      todo: 'Réessayez. Si le problème persiste, contactez votre administrateur et indiquez-lui la référence ci-dessous.',
    },
  },
};
