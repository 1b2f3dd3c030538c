/* SPDX-License-Identifier: 0BSD */
/* Programs and the library in ROM must have the same. */
#ifndef AKSEN_VERSION_H
#define AKSEN_VERSION_H

#define AKSEN_VERSION "00.970"

#endif
