// The default verifier, the default authentication and no PKCE, as most programs in Go have it.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func random() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("OIDC_ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	var more struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&more); err != nil {
		log.Fatal(err)
	}
	redirectURI := os.Getenv("OIDC_REDIRECT_URI")
	config := oauth2.Config{
		ClientID:     os.Getenv("OIDC_CLIENT_ID"),
		ClientSecret: os.Getenv("OIDC_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  redirectURI,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	var state, nonce, idToken string
	var token *oauth2.Token

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, nonce = random(), random()
		http.Redirect(w, r, config.AuthCodeURL(state, oidc.Nonce(nonce)), http.StatusFound)
	})
	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if query.Get("state") != state {
			http.Error(w, "another state", http.StatusBadRequest)
			return
		}
		if problem := query.Get("error"); problem != "" {
			http.Error(w, problem, http.StatusForbidden)
			return
		}
		exchanged, err := config.Exchange(ctx, query.Get("code"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		token = exchanged
		idToken, _ = token.Extra("id_token").(string)
		verified, err := verifier.Verify(ctx, idToken)
		if err != nil || verified.Nonce != nonce {
			http.Error(w, "the ID token is invalid: "+err.Error(), http.StatusUnauthorized)
			return
		}
		var claims map[string]interface{}
		if err := verified.Claims(&claims); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(claims)
	})
	http.HandleFunc("/refresh", func(w http.ResponseWriter, r *http.Request) {
		// Without an access token, the library refreshes.
		source := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken})
		info, err := provider.UserInfo(ctx, source)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		var claims map[string]interface{}
		_ = info.Claims(&claims)
		_ = json.NewEncoder(w).Encode(claims)
	})
	http.HandleFunc("/sign-out", func(w http.ResponseWriter, r *http.Request) {
		query := url.Values{
			"id_token_hint":            {idToken},
			"post_logout_redirect_uri": {strings.Replace(redirectURI, "/callback", "/signed-out", 1)},
		}
		http.Redirect(w, r, more.EndSession+"?"+query.Encode(), http.StatusFound)
	})
	http.HandleFunc("/signed-out", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("signed out"))
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
